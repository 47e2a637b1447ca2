"""Waits until an element has a state or a text, read with libatspi in this process.

Usage: atspi_state.py PID ROLE NAME FIELD EXPECTED LIMIT_MS. FIELD is "name", "text" or a state such as "checked"; NAME may be empty, and is then
not compared. Prints one JSON object {"met", "seen"}.
"""

import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

#: A sheet claims millions of children.
MOST_CHILDREN = 400


def walk(pid):
    desktop = Atspi.get_desktop(0)
    waiting = []
    for number in range(desktop.get_child_count()):
        app = desktop.get_child_at_index(number)
        if app is not None and app.get_process_id() == pid:
            waiting.append(app)
    while waiting:
        element = waiting.pop(0)
        yield element
        count = element.get_child_count()
        if count > MOST_CHILDREN:
            continue
        for index in range(count):
            child = element.get_child_at_index(index)
            if child is not None:
                waiting.append(child)


def forget(element):
    """What libatspi remembers of an element; older versions have no call for one element alone."""
    clear = getattr(element, "clear_cache_single", None) or element.clear_cache
    clear()


def read(element, field):
    forget(element)
    if field == "name":
        return element.get_name()
    if field == "text":
        text = element.get_text_iface()
        return "" if text is None else Atspi.Text.get_text(text, 0, -1)
    state = getattr(Atspi.StateType, field.upper())
    return "true" if element.get_state_set().contains(state) else "false"


def main():
    pid, role, name, field, expected, limit = sys.argv[1:7]
    end = time.monotonic() + int(limit) / 1000
    seen = []
    while True:
        seen = [
            read(element, field)
            for element in walk(int(pid))
            if element.get_role_name() == role and (name == "" or element.get_name() == name)
        ]
        if expected in seen or time.monotonic() > end:
            break
        time.sleep(0.02)
    print(json.dumps({"met": expected in seen, "seen": seen[:20]}))


main()
