import { USER_WINDOW } from './user-window.ts';

/** What the title of the other window says; see `TitledProgram`. */
const TITLE =
  '"clicks %d doubles %d menus %d picks %d moves %d top %d at %d,%d list %d,%d text [%s]" % (told["clicks"], told["doubles"], told["menus"], told["picks"], told["moves"], top, x, y, lx, ly, content.replace("\\n", ""))';
const TOLD = 'told = dict(clicks=0, doubles=0, menus=0, picks=0, moves=0)';

const OTHER_GTK = `
${TOLD}
agent = Gtk.Window(title="ready")
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
agent.add(column)
page = Gtk.TextView()
page.get_buffer().set_text("\\n" * 200)
page.get_buffer().place_cursor(page.get_buffer().get_start_iter())
pane = Gtk.ScrolledWindow()
pane.add(page)
combo = Gtk.ComboBoxText()
for label in ("one", "two", "three"):
    combo.append_text(label)
combo.set_active(0)
column.pack_start(pane, True, True, 0)
column.pack_start(combo, False, False, 20)
agent.set_default_size(700, 500)
agent.move(60, 60)
def tell():
    buffer = page.get_buffer()
    content = buffer.get_text(*buffer.get_bounds(), True)
    top = pane.get_vadjustment().get_value()
    _, x, y = page.get_window(Gtk.TextWindowType.TEXT).get_origin()
    _, left, above = agent.get_window().get_origin()
    mx, my = combo.translate_coordinates(agent, combo.get_allocated_width() // 2, combo.get_allocated_height() // 2)
    lx, ly = left + mx, above + my
    agent.set_title(${TITLE})
    return False
def count(what):
    told[what] += 1
    GLib.idle_add(tell)
page.connect("button-release-event", lambda _, event: event.button == 1 and count("clicks") and False)
page.connect("button-press-event", lambda _, event: event.type == Gdk.EventType._2BUTTON_PRESS and count("doubles") and False)
page.connect("motion-notify-event", lambda *_: count("moves") and False)
page.connect("populate-popup", lambda _, menu: menu.connect("map", lambda _: count("menus")) and None)
page.get_buffer().connect("changed", lambda _: GLib.idle_add(tell) and None)
pane.get_vadjustment().connect("value-changed", lambda _: GLib.idle_add(tell) and None)
combo.connect("changed", lambda _: count("picks"))
agent.show_all()
`;

/** The window of the user and one for the agent, in one process of GTK 3. */
export const BOTH_GTK3 = USER_WINDOW.replace('\nGtk.main()\n', `\n${OTHER_GTK}Gtk.main()\n`);

/** The same with `PyQt5` or `PyQt6`. */
export function bothQt(binding: 'PyQt5' | 'PyQt6'): string {
  return `
import json, os, sys
from ${binding} import QtCore, QtGui, QtWidgets
title, file, x, y = sys.argv[1:5]
app = QtWidgets.QApplication(["both"])
Event = QtCore.QEvent.Type
Left = QtCore.Qt.MouseButton.LeftButton
path = open(file + ".path", "a", buffering=1)
class Watch(QtCore.QObject):
    def __init__(self, watched, told):
        super().__init__(watched)
        self._told = told
        watched.installEventFilter(self)
    def eventFilter(self, _, event):
        told = self._told.get(event.type())
        if told is not None:
            told(event)
        return False
def write(name, content):
    with open(name + ".new", "w") as new:
        new.write(content)
    os.replace(name + ".new", name)
user = QtWidgets.QMainWindow()
user.setWindowTitle(title)
menu = user.menuBar().addMenu("Menu")
for label in ("One", "Two", "Three"):
    menu.addAction(label)
Watch(menu, {Event.Show: lambda _: path.write("show\\n"), Event.Hide: lambda _: path.write("hide\\n")})
content = QtWidgets.QWidget()
column = QtWidgets.QVBoxLayout(content)
view = QtWidgets.QPlainTextEdit()
area = QtWidgets.QFrame()
area.setMinimumHeight(60)
area.setMouseTracking(True)
column.addWidget(view)
column.addWidget(area)
user.setCentralWidget(content)
user.resize(400, 260)
user.move(int(x), int(y))
def noted(kind):
    def note(event):
        point = event.globalPosition().toPoint() if hasattr(event, "globalPosition") else event.globalPos()
        path.write("%s %d %d\\n" % (kind, point.x(), point.y()))
    return note
Watch(area, {Event.MouseButtonPress: noted("press"), Event.MouseMove: noted("motion"), Event.MouseButtonRelease: noted("release")})
Watch(view, {Event.KeyPress: lambda event: event.key() == QtCore.Qt.Key.Key_Shift and path.write("shift\\n")})
view.textChanged.connect(lambda: write(file, view.toPlainText()))
write(file, "")
def middle(widget):
    point = widget.mapToGlobal(widget.rect().center())
    return [point.x(), point.y()]
def places():
    at = user.menuBar().mapToGlobal(user.menuBar().actionGeometry(menu.menuAction()).center())
    write(file + ".places", json.dumps({"text": middle(view), "area": middle(area), "menu": [at.x(), at.y()]}))
timer = QtCore.QTimer()
timer.timeout.connect(places)
timer.start(100)
${TOLD}
class Page(QtWidgets.QPlainTextEdit):
    def contextMenuEvent(self, event):
        opened = self.createStandardContextMenu()
        Watch(opened, {Event.Show: lambda _: count("menus")})
        opened.popup(event.globalPos())
agent = QtWidgets.QWidget()
agent.setWindowTitle("ready")
rows = QtWidgets.QVBoxLayout(agent)
page = Page()
page.setPlainText("\\n" * 200)
combo = QtWidgets.QComboBox()
combo.addItems(["one", "two", "three"])
rows.addWidget(page)
rows.addWidget(combo)
agent.resize(700, 500)
agent.move(60, 60)
def tell():
    content = page.toPlainText()
    top = page.verticalScrollBar().value()
    corner = page.viewport().mapToGlobal(QtCore.QPoint(0, 0))
    x, y = corner.x(), corner.y()
    lx, ly = middle(combo)
    agent.setWindowTitle(${TITLE})
def count(what):
    told[what] += 1
    QtCore.QTimer.singleShot(0, tell)
Watch(page.viewport(), {Event.MouseButtonRelease: lambda event: event.button() == Left and count("clicks"), Event.MouseButtonDblClick: lambda _: count("doubles"), Event.MouseMove: lambda _: count("moves")})
page.viewport().setMouseTracking(True)
page.textChanged.connect(tell)
page.verticalScrollBar().valueChanged.connect(lambda _: tell())
combo.currentIndexChanged.connect(lambda *_: count("picks"))
user.show()
agent.show()
view.setFocus()
(app.exec_ if hasattr(app, "exec_") else app.exec)()
`;
}

/** A process that has the windows of both the user and the agent. */
export const SAME_APPLICATION: readonly { readonly toolkit: string; readonly program: string }[] = [
  { toolkit: 'gtk3', program: BOTH_GTK3 },
  { toolkit: 'qt5', program: bothQt('PyQt5') },
  { toolkit: 'qt6', program: bothQt('PyQt6') },
];
