/**
 * The window of the user: a menu bar, a text, and an area to drag in. What the text contains is in FILE, where things are on the screen in FILE.places, and each
 * press, motion and release in the area is a line of FILE.path, and each press of Shift.
 */
export const USER_WINDOW = `
import json, os, sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk, GLib
title, file, x, y = sys.argv[1:5]
window = Gtk.Window(title=title)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
bar = Gtk.MenuBar()
menu = Gtk.MenuItem(label="Menu")
items = Gtk.Menu()
for label in ("One", "Two", "Three"):
    items.append(Gtk.MenuItem(label=label))
menu.set_submenu(items)
bar.append(menu)
view = Gtk.TextView()
view.set_wrap_mode(Gtk.WrapMode.CHAR)
scroller = Gtk.ScrolledWindow()
scroller.add(view)
area = Gtk.EventBox()
area.set_size_request(-1, 60)
area.add_events(Gdk.EventMask.BUTTON_PRESS_MASK | Gdk.EventMask.BUTTON_RELEASE_MASK | Gdk.EventMask.POINTER_MOTION_MASK)
box.pack_start(bar, False, False, 0)
box.pack_start(scroller, True, True, 0)
box.pack_start(area, False, False, 0)
window.set_default_size(400, 220)
window.move(int(x), int(y))
for kind in ("show", "hide"):
    items.connect(kind, lambda _, kind=kind: path.write(kind + "\\n"))
path = open(file + ".path", "a", buffering=1)
def noted(kind):
    return lambda _, event: path.write("%s %d %d\\n" % (kind, event.x_root, event.y_root)) and False
area.connect("button-press-event", noted("press"))
area.connect("motion-notify-event", noted("motion"))
area.connect("button-release-event", noted("release"))
window.connect("key-press-event", lambda _, event: event.keyval == Gdk.KEY_Shift_L and path.write("shift\\n") and False)
def write(name, content):
    with open(name + ".new", "w") as new:
        new.write(content)
    os.replace(name + ".new", name)
def text(buffer):
    write(file, buffer.get_text(*buffer.get_bounds(), True))
view.get_buffer().connect("changed", text)
text(view.get_buffer())
def middle(widget):
    _, left, top = window.get_window().get_origin()
    at = widget.translate_coordinates(window, widget.get_allocated_width() // 2, widget.get_allocated_height() // 2)
    return [left + at[0], top + at[1]]
def places(*_):
    if window.get_window() is None or not area.get_mapped():
        return True
    at = middle(menu)
    write(file + ".places", json.dumps({"text": middle(scroller), "area": middle(area), "menu": at}))
    return True
GLib.timeout_add(100, places)
window.connect("destroy", Gtk.main_quit)
window.show_all()
view.grab_focus()
Gtk.main()
`;
