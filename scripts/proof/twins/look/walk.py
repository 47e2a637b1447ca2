"""What a person could see of the applications of this display: a walk with libatspi in a process of its own, because its caches lie, and the windows."""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

from screen import Display  # noqa: E402

MOST_NODES = 4000
MOST_OF_EVERYTHING = 12000
MOST_CHILDREN = 300
LONGEST_TEXT = 1000
DEEPEST = 60
CALL_MS, START_MS = 2000, 5000

STATES = {
    name: getattr(Atspi.StateType, name.upper())
    for name in (
        "active", "busy", "checked", "collapsed", "editable", "enabled", "expandable", "expanded", "focused", "indeterminate",
        "modal", "multi_line", "pressed", "selected", "sensitive", "showing", "visible",
    )
}
# A viewport or a panel may lack SHOWING while what it holds has it.
HOLDERS = {
    "filler", "grouping", "internal frame", "layered pane", "panel", "redundant object", "scroll pane", "section", "split pane",
    "unknown", "viewport",
}

# They open windows of their own, which nothing around them clips.
OPENERS = {"combo box", "menu", "menu bar", "popup menu"}

# Where a text can be marked.
FIELDS = {"entry", "password text", "spin button", "text"}

# Places are whole pixels: the middle of a thinner element may be beside it.
LEAST_PX = 4


def has_place(node):
    return node["box"] is not None or any(has_place(child) for child in node["children"])


class Walk:
    def __init__(self, display, everything=False):
        # Everything includes what does not show, without its details.
        self.everything = everything
        self.left = MOST_OF_EVERYTHING if everything else MOST_NODES
        self.windows = display.windows()
        self.complete = True
        # In the part of a LibreOffice window that it draws itself: how far its boxes are above their places.
        self.drawn = 0

    def states(self, node):
        held = node.get_state_set()
        return [name for name, state in STATES.items() if held.contains(state)]

    def box(self, node, interfaces):
        if "Component" not in interfaces:
            return None
        extents = node.get_extents(Atspi.CoordType.SCREEN)
        if extents.width <= 0 or extents.height <= 0 or extents.x < -10000 or extents.y < -10000:
            return None
        y = extents.y
        if self.drawn:
            # GTK widgets amid what it draws are counted from the screen, and so differ by where the window is.
            inner = node.get_extents(Atspi.CoordType.WINDOW)
            if (inner.x, inner.y) == (extents.x, extents.y):
                y += self.drawn
        return [extents.x, y, extents.width, extents.height]

    def is_flat(self, node, interfaces):
        """A panel of no width or height: Swing shows nothing of what is in it, and reports all of it as showing."""
        if "Component" not in interfaces:
            return False
        extents = node.get_extents(Atspi.CoordType.SCREEN)
        return extents.width == 0 or extents.height == 0

    def below_menu(self, pane):
        """LibreOffice counts what it draws as if it began at the top of the window, where GTK has put the menu bar."""
        extents = pane.get_extents(Atspi.CoordType.SCREEN)
        name, pid = pane.get_name(), pane.get_process_id()
        for window in self.windows:
            if window["pid"] == pid and window["managed"] and window["title"] == name:
                return max(0, window["box"][1] + window["box"][3] - extents.y - extents.height)
        return 0

    def around(self, box, children):
        """Boxes around what GTK draws there are counted without the menu bar, too: one around a box of the same size is where that is."""
        inner = children[0]["box"] if len(children) == 1 else None
        moved = [box[0], box[1] + self.drawn, box[2], box[3]]
        return moved if inner == moved else box

    def details(self, node, interfaces, role):
        found = {}
        if "Text" in interfaces:
            count = Atspi.Text.get_character_count(node)
            text = Atspi.Text.get_text(node, 0, min(count, LONGEST_TEXT)) if count > 0 else ""
            found["text"] = "•" * count if role == "password text" else text
            if role in FIELDS and count > 0:
                marked = self.marked(node)
                if marked is not None:
                    found["marked"] = marked
        if "Value" in interfaces:
            found["value"] = Atspi.Value.get_current_value(node)
            found["range"] = [Atspi.Value.get_minimum_value(node), Atspi.Value.get_maximum_value(node)]
        if "Action" in interfaces:
            found["actions"] = Atspi.Action.get_n_actions(node)
        return found

    def marked(self, node):
        """Which characters of a field are marked, if any are."""
        if Atspi.Text.get_n_selections(node) < 1:
            return None
        marked = Atspi.Text.get_selection(node, 0)
        return [marked.start_offset, marked.end_offset] if marked.end_offset > marked.start_offset else None

    def read(self, node, index, depth, toolkit, shift):
        """The node with everything in it that shows; None if nothing does."""
        if node is None or depth > DEEPEST:
            return None
        if self.left <= 0:
            self.complete = False
            return None
        self.left -= 1
        try:
            states = self.states(node)
            role = node.get_role_name()
            is_gtk4 = toolkit == "GTK"
            may_be_left = role not in HOLDERS and depth > 0 and not self.everything
            # Most of a large tree does not show: each further question about it is one more call.
            if may_be_left and not is_gtk4 and "showing" not in states:
                return None
            interfaces = node.get_interfaces()
            if role == "root pane" and depth > 1:
                self.drawn = self.below_menu(node)
            box = self.box(node, interfaces)
            may_be_undrawn = is_gtk4 and depth > 0 and box is not None and not self.is_drawn(node)
            shows = (box is not None or depth == 0) if is_gtk4 else "showing" in states
            if may_be_left and not shows:
                return None
            # What is in a closed revealer or popover keeps its place; its holder has lost it.
            if is_gtk4 and not shows and "Component" in interfaces and not self.everything:
                return None
            if box is not None and shift is not None:
                box = [box[0] + shift[0], box[1] + shift[1], box[2], box[3]]
                popup = self.popup_of(node, box)
                if popup is not None:
                    shift = [shift[0] + popup[0] - box[0], shift[1] + popup[1] - box[1]]
                    box = popup
            is_flat = toolkit.startswith("J2SE") and role not in OPENERS and not self.everything and self.is_flat(node, interfaces)
            children = [] if is_flat else self.children(node, depth, toolkit, shift)
            if self.drawn and box is not None:
                box = self.around(box, children)
            # Some boxes let clicks pass: they are drawn if anything in them is.
            if may_be_undrawn and not any(has_place(child) for child in children):
                if not self.everything:
                    return None
                box = None
            if role == "popup menu" and box is not None and toolkit.startswith("J2SE"):
                self.into_popup(box, children)
            if role == "root pane":
                self.drawn = 0
            if not shows and not children and not self.everything:
                return None
            return {
                "role": role,
                "name": node.get_name() or "",
                "states": states,
                "box": box,
                "index": index,
                "children": children,
                **(self.details(node, interfaces, role) if shows or not self.everything else {}),
            }
        except GLib.Error as error:
            self.complete = False
            return {"role": "unreadable", "name": str(error)[:80], "states": [], "box": None, "index": index, "children": []}

    def into_popup(self, popup, items):
        """Java adds the places of menu items to that of the menu that opened them, not to that of their pop-up, which they fill but for its border."""
        boxes = [item["box"] for item in items if item["box"] is not None]
        if not boxes:
            return
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
        if left >= popup[0] and top >= popup[1] and right <= popup[0] + popup[2] and bottom <= popup[1] + popup[3]:
            return
        dx = popup[0] + (popup[2] - (right - left)) // 2 - left
        dy = popup[1] + (popup[3] - (bottom - top)) // 2 - top
        for box in boxes:
            box[0] += dx
            box[1] += dy

    def children(self, node, depth, toolkit, shift):
        count = node.get_child_count()
        found = []
        # A sheet claims two thousand million children; asking for them ends the application.
        for index in range(min(count, MOST_CHILDREN)):
            child = self.read(node.get_child_at_index(index), index, depth + 1, toolkit, shift)
            if child is not None:
                found.append(child)
        return found

    def is_drawn(self, node):
        """GTK 4 leaves what it no longer draws at its place, such as other pages of a stack and rows that were scrolled away; that contains no point."""
        box = node.get_extents(Atspi.CoordType.WINDOW)
        if box.width < LEAST_PX or box.height < LEAST_PX:
            return True
        return node.contains(box.x + box.width // 2, box.y + box.height // 2, Atspi.CoordType.WINDOW)

    def popup_of(self, node, box):
        """The pop-up window that a popover is drawn in: GTK 4 counts its boxes as if it began where its button does."""
        pid = node.get_process_id()
        for window in self.windows:
            if window["pid"] == pid and not window["managed"] and window["box"][2:] == box[2:]:
                return window["box"]
        return None

    def shift(self, window, pid, toolkit):
        """How far a window's boxes are from the screen's: GTK 4 counts from the window, without its shadow."""
        if toolkit != "GTK":
            return None
        title = window.get_name() or ""
        own = [found for found in self.windows if found["pid"] == pid]
        same = [found for found in own if found["title"] == title] or own
        if not same:
            return None
        x, y, width, _ = same[-1]["box"]
        if same[-1]["edges"] is not None:
            left, _, top, _ = same[-1]["edges"]
            return [x + left, y + top]
        inner = window.get_extents(Atspi.CoordType.WINDOW)
        edge = max(0, (width - inner.width) // 2)
        return [x + edge, y + edge]

    def application(self, application):
        pid = application.get_process_id()
        toolkit = application.get_toolkit_name() or ""
        windows = []
        for index in range(min(application.get_child_count(), MOST_CHILDREN)):
            window = application.get_child_at_index(index)
            if window is None:
                continue
            read = self.read(window, index, 0, toolkit, self.shift(window, pid, toolkit))
            if read is not None and (read["children"] or "showing" in read["states"]):
                windows.append(read)
        return {
            "name": application.get_name() or "",
            "pid": pid,
            "toolkit": toolkit,
            "version": application.get_toolkit_version() or "",
            "windows": windows,
        }


def main():
    Atspi.init()
    Atspi.set_timeout(CALL_MS, START_MS)
    walk = Walk(Display(), everything="--everything" in sys.argv[1:])
    desktop = Atspi.get_desktop(0)
    applications = []
    for index in range(desktop.get_child_count()):
        try:
            application = desktop.get_child_at_index(index)
            if application is not None:
                applications.append(walk.application(application))
        except GLib.Error:
            walk.complete = False
    json.dump({"applications": applications, "windows": walk.windows, "complete": walk.complete}, sys.stdout)


main()
