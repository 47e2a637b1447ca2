#!/usr/bin/python3
"""
Stands in for zenity where that is not installed: a line of text, or a list with a picture. For attacks on it, `--menu` adds a menu that agrees, and
`--log=FILE` notes everything that reaches it, one JSON object per line.
"""
import json
import os
import sys
import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

words = dict(word.split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)


def record(event: str) -> bool:
    if "--log" in words:
        with open(words["--log"], "a", encoding="utf-8") as file:
            file.write(json.dumps({"pid": os.getpid(), "event": event}) + "\n")
    return False


dialog = Gtk.Dialog(title=words.get("--title", ""))
dialog.connect("key-press-event", lambda *_: record("key"))
dialog.connect("response", lambda *_: record("response"))
box = dialog.get_content_area()
if "--menu" in sys.argv:
    bar = Gtk.MenuBar()
    top = Gtk.MenuItem(label="Answer")
    entries = Gtk.Menu()
    agree = Gtk.MenuItem(label="Agree")
    agree.connect("activate", lambda _: dialog.response(0))
    entries.append(agree)
    top.set_submenu(entries)
    bar.append(top)
    box.add(bar)
    dialog.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
    dialog.drag_dest_add_text_targets()
    dialog.connect("drag-motion", lambda *_: record("dragged"))
if "--list" in sys.argv:
    box.add(Gtk.Image.new_from_file(sys.argv[-1]))
    dialog.add_button("OK", 0)
    entry = None
else:
    box.add(Gtk.Label(label=words.get("--text", "")))
    entry = Gtk.Entry(activates_default=True)
    entry.connect("changed", lambda _: record("changed"))
    entry.connect("button-press-event", lambda *_: record("button"))
    entry.connect("drag-motion", lambda *_: record("dragged"))
    box.add(entry)
    dialog.add_button("Cancel", 1)
    dialog.add_button("OK", 0)
    dialog.set_default_response(0)
dialog.show_all()
if entry is not None:
    entry.grab_focus()
answer = dialog.run()
if answer == 0 and entry is not None:
    print(entry.get_text())
sys.exit(0 if answer == 0 else 1)
