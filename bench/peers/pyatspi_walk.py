"""Walks one window with pyatspi in a new process.

Usage: pyatspi_walk.py BUS_NAME PATH new|cleared. Prints one JSON object: elements, and milliseconds for finding the window and for the walk.
Starting Python and importing pyatspi are not counted. Per element: role, name, states, box on the screen, names of its actions.
`cleared` empties the client's cache before the walk; `new` keeps what libatspi has put there while it found the window, which is the
application's whole bulk cache where it has one.
"""

import json
import sys
import time

import pyatspi
from gi.repository import GLib

# A sheet of LibreOffice has 2^31 cells; requesting them fills its memory until it crashes.
MAX_CHILDREN = 3000
MAX_CELLS = 2500
INSETS = (4, 24, 48, 72, 96)


def find_window(bus, path):
    for app in pyatspi.Registry.getDesktop(0):
        if app is None or app.app is None or app.app.bus_name != bus:
            continue
        for window in app:
            if window is not None and window.path == path:
                return window
    raise SystemExit(f"pyatspi finds no window {path} of {bus}")


class Walk:
    def __init__(self):
        self.nodes = 0
        self.placeless = 0
        self.cells = 0

    def read(self, element):
        """Reads from every element; the answers are discarded."""
        self.nodes += 1
        element.getRole()
        element.name
        element.getState().getStates()
        if self.box(element) is None:
            self.placeless += 1
        try:
            action = element.queryAction()
            for index in range(action.nActions):
                action.getName(index)
        except (NotImplementedError, GLib.GError):
            # No such interface; GTK 4 counts actions on some elements and then reports them as unknown.
            return

    def box(self, element):
        try:
            return element.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        except NotImplementedError:
            return None

    def walk(self, root):
        waiting = [root]
        while waiting:
            element = waiting.pop()
            self.read(element)
            count = element.childCount
            if count > MAX_CHILDREN:
                self.visible_cells(element)
                continue
            for index in range(count - 1, -1, -1):
                child = element.getChildAtIndex(index)
                if child is not None:
                    waiting.append(child)

    def visible_cells(self, element):
        """The cells under the corners determine the visible rows and columns."""
        try:
            table = element.queryTable()
        except NotImplementedError:
            return
        box = self.box(element)
        columns = table.nColumns
        first = self.cell_near(element, columns, [(box.x + i, box.y + i) for i in INSETS])
        right, bottom = box.x + box.width, box.y + box.height
        last = self.cell_near(element, columns, [(right - i, bottom - i) for i in INSETS])
        if first is None or last is None or last[0] < first[0] or last[1] < first[1]:
            return
        width = last[1] - first[1] + 1
        rows = min(last[0] - first[0] + 1, max(1, MAX_CELLS // width))
        for row in range(first[0], first[0] + rows):
            for column in range(first[1], last[1] + 1):
                cell = table.getAccessibleAt(row, column)
                if cell is not None:
                    self.cells += 1
                    self.read(cell)

    def cell_near(self, element, columns, points):
        component = element.queryComponent()
        for x, y in points:
            cell = component.getAccessibleAtPoint(x, y, pyatspi.DESKTOP_COORDS)
            if cell is None or cell == element:
                continue
            index = cell.getIndexInParent()
            if index >= 0:
                return divmod(index, columns)
        return None


def main():
    begin = time.perf_counter()
    window = find_window(sys.argv[1], sys.argv[2])
    found = time.perf_counter()
    if sys.argv[3] == "cleared":
        window.clear_cache()
    begun = time.perf_counter()
    cpu = time.process_time()
    walk = Walk()
    walk.walk(window)
    end = time.perf_counter()
    print(
        json.dumps(
            {
                "nodes": walk.nodes,
                "cells": walk.cells,
                "placeless": walk.placeless,
                "find_ms": (found - begin) * 1000,
                "walk_ms": (end - begun) * 1000,
                "cpu_ms": (time.process_time() - cpu) * 1000,
            }
        )
    )


main()
