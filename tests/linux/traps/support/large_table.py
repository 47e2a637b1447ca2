"""A table of 1,500 rows, in GTK 3 with an icon and a text in its first column, in Qt with row headers and a hidden column. "top ROW" scrolls to a row."""

import sys

ROWS = 1500


def gtk3():
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    store = Gtk.ListStore(str, str, str)
    for row in range(ROWS):
        store.append(["text-x-generic", f"file {row}", f"size {row}"])
    view = Gtk.TreeView(model=store)
    column = Gtk.TreeViewColumn("Name")
    for renderer, attribute, index in ((Gtk.CellRendererPixbuf(), "icon-name", 0), (Gtk.CellRendererText(), "text", 1)):
        column.pack_start(renderer, False)
        column.add_attribute(renderer, attribute, index)
    view.append_column(column)
    view.append_column(Gtk.TreeViewColumn("Size", Gtk.CellRendererText(), text=2))
    view.append_column(Gtk.TreeViewColumn("Again", Gtk.CellRendererText(), text=2))
    pane = Gtk.ScrolledWindow()
    pane.add(view)
    window = Gtk.Window(title="Large table")
    window.set_default_size(400, 300)
    window.add(pane)
    window.show_all()

    def top(row):
        view.scroll_to_cell(Gtk.TreePath(row), None, True, 0, 0)

    GLib.io_add_watch(sys.stdin, GLib.IO_IN, lambda *_: top(int(sys.stdin.readline().split()[1])) or True)
    Gtk.main()


def qt(binding):
    if binding == "qt5":
        from PyQt5.QtCore import QSocketNotifier
        from PyQt5.QtWidgets import QAbstractItemView, QApplication, QTableWidget, QTableWidgetItem

        notify = QSocketNotifier.Read
    else:
        from PyQt6.QtCore import QSocketNotifier
        from PyQt6.QtWidgets import QAbstractItemView, QApplication, QTableWidget, QTableWidgetItem

        notify = QSocketNotifier.Type.Read
    application = QApplication(sys.argv[:1])
    table = QTableWidget(ROWS, 3)
    for row in range(ROWS):
        for column, text in enumerate((f"key {row}", f"file {row}", f"size {row}")):
            table.setItem(row, column, QTableWidgetItem(text))
    table.hideColumn(0)
    table.resize(400, 300)
    table.setWindowTitle("Large table")
    table.show()
    at_top = QAbstractItemView.ScrollHint.PositionAtTop
    notifier = QSocketNotifier(sys.stdin.fileno(), notify)
    notifier.activated.connect(
        lambda *_: table.scrollToItem(table.item(int(sys.stdin.readline().split()[1]), 1), at_top)
    )
    (application.exec_ if binding == "qt5" else application.exec)()


gtk3() if sys.argv[1] == "gtk3" else qt(sys.argv[1])
