"""Reads the name of one element with libatspi, again and again, the cache cleared before each read.

Usage: atspi_read.py BUS_NAME PATH COUNT. Prints one JSON object.
"""

import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def find(bus, path):
    """Not counted. Searches by path, because GTK 4 shows other child positions to a client that caches."""
    desktop = Atspi.get_desktop(0)
    waiting = []
    for number in range(desktop.get_child_count()):
        app = desktop.get_child_at_index(number)
        if app is not None and app.app is not None and app.app.bus_name == bus:
            waiting.append(app)
    while waiting:
        element = waiting.pop()
        if element.path == path:
            return element
        for index in range(element.get_child_count() - 1, -1, -1):
            child = element.get_child_at_index(index)
            if child is not None:
                waiting.append(child)
    raise SystemExit(f"libatspi finds no element {path} of {bus}")


def main():
    bus, path, count = sys.argv[1:4]
    element = find(bus, path)
    samples = []
    for _ in range(int(count)):
        element.clear_cache()
        begin = time.perf_counter()
        name = element.get_name()
        samples.append((time.perf_counter() - begin) * 1000)
    print(json.dumps({"name": name, "samples_ms": samples}))


main()
