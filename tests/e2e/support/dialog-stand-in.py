#!/usr/bin/python3
"""Stands in for zenity where that is not installed: a line of text, or a list with a picture."""
import sys
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

words = dict(word.split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)
dialog = Gtk.Dialog(title=words.get("--title", ""))
box = dialog.get_content_area()
if "--list" in sys.argv:
    box.add(Gtk.Image.new_from_file(sys.argv[-1]))
    dialog.add_button("OK", 0)
    entry = None
else:
    box.add(Gtk.Label(label=words.get("--text", "")))
    entry = Gtk.Entry(activates_default=True)
    box.add(entry)
    dialog.add_button("Cancel", 1)
    dialog.add_button("OK", 0)
    dialog.set_default_response(0)
dialog.show_all()
answer = dialog.run()
if answer == 0 and entry is not None:
    print(entry.get_text())
sys.exit(0 if answer == 0 else 1)
