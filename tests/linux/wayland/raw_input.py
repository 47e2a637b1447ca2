"""A window over the whole screen that records every key and button that reaches it. Each line on standard input is answered by the record as JSON."""

import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

log = []
held = []


def note(kind, name, is_down):
    log.append([kind, name])
    if is_down and name not in held:
        held.append(name)
    elif not is_down and name in held:
        held.remove(name)


def on_key(_window, event):
    is_down = event.type == Gdk.EventType.KEY_PRESS
    name = Gdk.keyval_name(event.keyval) or str(event.keyval)
    note("key-down" if is_down else "key-up", name, is_down)
    return True


def on_button(_window, event):
    # GTK reports double clicks as events of their own, too.
    if event.type == Gdk.EventType.BUTTON_PRESS:
        note("button-down", f"button {event.button}", True)
    elif event.type == Gdk.EventType.BUTTON_RELEASE:
        note("button-up", f"button {event.button}", False)
    return True


def on_scroll(_window, event):
    # GTK 3 also tells a direction, but swaps left and right on Wayland.
    is_told, right, down = event.get_scroll_deltas()
    if is_told:
        log.append(["scroll", f"{right:.1f},{down:.1f}"])
    return True


def on_motion(_window, event):
    log.append(["motion", f"{event.x_root:.0f},{event.y_root:.0f}"])
    return True


def on_line(_source, _condition):
    line = sys.stdin.readline()
    if not line:
        Gtk.main_quit()
        return False
    # What the compositor has sent before it answers is there after this.
    Gdk.Display.get_default().sync()
    while Gtk.events_pending():
        Gtk.main_iteration()
    print(json.dumps({"held": held, "log": log, "is_active": window.is_active()}), flush=True)
    if line.strip() == "clear":
        log.clear()
    return True


window = Gtk.Window(title="Raw input")
window.add_events(
    Gdk.EventMask.KEY_PRESS_MASK
    | Gdk.EventMask.KEY_RELEASE_MASK
    | Gdk.EventMask.BUTTON_PRESS_MASK
    | Gdk.EventMask.BUTTON_RELEASE_MASK
    | Gdk.EventMask.SCROLL_MASK
    | Gdk.EventMask.SMOOTH_SCROLL_MASK
    | Gdk.EventMask.POINTER_MOTION_MASK
)
window.connect("key-press-event", on_key)
window.connect("key-release-event", on_key)
window.connect("button-press-event", on_button)
window.connect("button-release-event", on_button)
window.connect("scroll-event", on_scroll)
window.connect("motion-notify-event", on_motion)
window.connect("destroy", Gtk.main_quit)
window.set_default_size(600, 400)
window.fullscreen()
window.show_all()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_line)
Gtk.main()
