"""Reads and works the probe as every other assistive technology does: through libatspi. Prints what it found as JSON."""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

title = sys.argv[1]
text = sys.argv[2]
desktop = Atspi.get_desktop(0)
applications = [desktop.get_child_at_index(index) for index in range(desktop.get_child_count())]
application = next(found for found in applications if found is not None and found.get_name() == title)
frame = application.get_child_at_index(0)
children = [frame.get_child_at_index(index) for index in range(frame.get_child_count())]
by_name = {child.get_name(): child for child in children}
heard = []
loop = GLib.MainLoop()


def on_event(event):
    if event.source.get_name() in by_name:
        heard.append([event.type, event.source.get_name(), event.detail1, event.detail2])
    if len(heard) >= 5:
        loop.quit()


listener = Atspi.EventListener.new(on_event)
for kind in ("object:state-changed:checked", "object:text-changed", "object:property-change:accessible-value"):
    listener.register(kind)


def box(element):
    extents = element.get_extents(Atspi.CoordType.SCREEN)
    return [extents.x, extents.y, extents.width, extents.height]


def work():
    by_name["Tick"].do_action(0)
    by_name["Text"].set_text_contents("old")
    by_name["Text"].set_text_contents(text)
    by_name["Level"].set_current_value(250)
    by_name["Press"].do_action(0)


facts = {
    "pid": application.get_process_id(),
    "toolkit": application.get_toolkit_name(),
    "parent": frame.get_parent().get_name(),
    "frame": box(frame),
    "elements": [
        [child.get_role_name(), child.get_name(), child.get_index_in_parent(), box(child)] for child in children
    ],
}
GLib.timeout_add(100, lambda: work() and False)
GLib.timeout_add(5000, loop.quit)
loop.run()
facts["heard"] = heard
facts["text"] = Atspi.Text.get_text(by_name["Text"], 0, -1)
facts["level"] = by_name["Level"].get_current_value()
facts["range"] = [by_name["Level"].get_minimum_value(), by_name["Level"].get_maximum_value()]
facts["ticked"] = by_name["Tick"].get_state_set().contains(Atspi.StateType.CHECKED)
print(json.dumps(facts))
