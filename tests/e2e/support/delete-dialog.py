#!/usr/bin/python3
"""A dialog that deletes: a field, Cancel, and Delete as its default button. Usage: delete-dialog.py gtk3|qt5 LOG"""
import sys

toolkit, log = sys.argv[1:3]


def note(what):
    with open(log, "a", encoding="utf8") as file:
        file.write(what + "\n")


if toolkit == "gtk3":
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk

    dialog = Gtk.Dialog(title="Remove account")
    field = Gtk.Entry(activates_default=True)
    field.get_accessible().set_name("Reason")
    dialog.get_content_area().add(field)
    keep = dialog.add_button("_Keep", 1)
    keep.connect("clicked", lambda _: note("kept"))
    delete = dialog.add_button("_Delete", 2)
    delete.connect("clicked", lambda _: note("deleted"))
    dialog.set_default_response(2)
    dialog.connect("delete-event", lambda *_: Gtk.main_quit())
    dialog.show_all()
    field.grab_focus()
    Gtk.main()
else:
    from PyQt5.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QVBoxLayout

    application = QApplication(sys.argv)
    dialog = QDialog()
    dialog.setWindowTitle("Remove account")
    layout = QVBoxLayout(dialog)
    field = QLineEdit()
    field.setAccessibleName("Reason")
    layout.addWidget(field)
    keep = QPushButton("&Keep")
    keep.setAutoDefault(False)
    keep.clicked.connect(lambda: note("kept"))
    layout.addWidget(keep)
    delete = QPushButton("&Delete")
    delete.setDefault(True)
    delete.clicked.connect(lambda: note("deleted"))
    layout.addWidget(delete)
    dialog.show()
    field.setFocus()
    sys.exit(application.exec())
