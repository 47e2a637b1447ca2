"""Waits until an element has a state or a text, read with libatspi in this process.

Usage: atspi_state.py PID ROLE NAME FIELD EXPECTED LIMIT_MS. FIELD is "name", "text" or a state such as "checked"; NAME may be empty, and is then
not compared. A table cell is named by its address, such as H5: sheets have too many to be searched. Prints one JSON object {"met", "seen"}.
"""

import json
import re
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

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


def cells(pid, address):
    """The cell with this address in each table of the application."""
    letters, digits = re.fullmatch(r"([A-Z]+)([0-9]+)", address).groups()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    for element in walk(pid):
        table = element.get_table_iface()
        if table is not None and int(digits) <= Atspi.Table.get_n_rows(table):
            cell = Atspi.Table.get_accessible_at(table, int(digits) - 1, column - 1)
            if cell is not None:
                yield cell


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


def look(pid, role, name, field):
    if role == "table cell":
        return [read(cell, field) for cell in cells(pid, name)]
    return [
        read(element, field)
        for element in walk(pid)
        if element.get_role_name() == role and (name == "" or element.get_name() == name)
    ]


def main():
    pid, role, name, field, expected, limit = sys.argv[1:7]
    end = time.monotonic() + int(limit) / 1000
    seen = []
    while True:
        try:
            seen = look(int(pid), role, name, field)
        except GLib.GError:
            # Busy; it is asked again.
            seen = []
        if expected in seen or time.monotonic() > end:
            break
        time.sleep(0.02)
    print(json.dumps({"met": expected in seen, "seen": seen[:20]}))


main()
