"""A GTK 3 window with a spinner, which tells nobody that it turns. Argument: seconds after which it stops, which is printed."""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

window = Gtk.Window(title="Working")
window.set_default_size(200, 200)
spinner = Gtk.Spinner()
window.add(spinner)
window.connect("destroy", Gtk.main_quit)


def stop() -> bool:
    spinner.stop()
    print("stopped", flush=True)
    return False


def begin() -> bool:
    spinner.start()
    GLib.timeout_add(int(float(sys.argv[1]) * 1000), stop)
    print("turning", flush=True)
    return False


GLib.timeout_add(200, begin)
window.show_all()
Gtk.main()
