"""The windows of a display, read with Xlib itself; and the keyboard focus taken away from all of them."""

import ctypes
import ctypes.util
import json
import sys

X = ctypes.CDLL("libX11.so.6")
NONE = 0
REVERT_TO_PARENT = 2
INPUT_OUTPUT, INPUT_ONLY, OVERRIDE_REDIRECT, RETAIN_PERMANENT = 1, 2, 1 << 9, 1
VIEWABLE = 2
ANY_TYPE = 0
LONGEST = 4096


class Attributes(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_int) for name in ("x", "y", "width", "height", "border_width", "depth")],
        ("visual", ctypes.c_void_p),
        ("root", ctypes.c_ulong),
        *[(name, ctypes.c_int) for name in ("window_class", "bit_gravity", "win_gravity", "backing_store")],
        *[(name, ctypes.c_ulong) for name in ("backing_planes", "backing_pixel")],
        ("save_under", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        *[(name, ctypes.c_int) for name in ("map_installed", "map_state")],
        *[(name, ctypes.c_long) for name in ("all_event_masks", "your_event_mask", "do_not_propagate_mask")],
        ("override_redirect", ctypes.c_int),
        ("screen", ctypes.c_void_p),
    ]


class WindowValues(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_ulong) for name in ("background_pixmap", "background_pixel", "border_pixmap", "border_pixel")],
        *[(name, ctypes.c_int) for name in ("bit_gravity", "win_gravity", "backing_store")],
        *[(name, ctypes.c_ulong) for name in ("backing_planes", "backing_pixel")],
        ("save_under", ctypes.c_int),
        *[(name, ctypes.c_long) for name in ("event_mask", "do_not_propagate_mask")],
        ("override_redirect", ctypes.c_int),
        *[(name, ctypes.c_ulong) for name in ("colormap", "cursor")],
    ]


for name, result in {"XOpenDisplay": ctypes.c_void_p, "XDefaultRootWindow": ctypes.c_ulong, "XInternAtom": ctypes.c_ulong, "XCreateWindow": ctypes.c_ulong}.items():
    getattr(X, name).restype = result
HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
# A window may close while it is asked: that answers nothing, and must not end this program as Xlib's own handler would.
ignore_errors = HANDLER(lambda _display, _error: 0)
X.XSetErrorHandler(ignore_errors)


class Display:
    def __init__(self):
        self.handle = ctypes.c_void_p(X.XOpenDisplay(None))
        if not self.handle:
            sys.exit("the display cannot be reached")
        self.root = ctypes.c_ulong(X.XDefaultRootWindow(self.handle))

    def property(self, window, name):
        """A property's items: numbers for 32 bits, bytes for 8."""
        kind, count, after = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_ulong()
        width, data = ctypes.c_int(), ctypes.c_void_p()
        atom = ctypes.c_ulong(X.XInternAtom(self.handle, name.encode(), 0))
        failed = X.XGetWindowProperty(
            self.handle, ctypes.c_ulong(window), atom, ctypes.c_long(0), ctypes.c_long(LONGEST), 0, ctypes.c_ulong(ANY_TYPE),
            ctypes.byref(kind), ctypes.byref(width), ctypes.byref(count), ctypes.byref(after), ctypes.byref(data),
        )
        if failed or not data:
            return []
        if width.value == 32:
            items = list((ctypes.c_long * count.value).from_address(data.value))
        else:
            items = ctypes.string_at(data.value, count.value) if width.value == 8 else []
        X.XFree(data)
        return items

    def attributes(self, window):
        attributes = Attributes()
        found = X.XGetWindowAttributes(self.handle, ctypes.c_ulong(window), ctypes.byref(attributes))
        return attributes if found else None

    def origin(self, window):
        x, y, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
        X.XTranslateCoordinates(
            self.handle, ctypes.c_ulong(window), self.root, 0, 0, ctypes.byref(x), ctypes.byref(y), ctypes.byref(child)
        )
        return x.value, y.value

    def children(self, window):
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        items = ctypes.POINTER(ctypes.c_ulong)()
        X.XQueryTree(
            self.handle, ctypes.c_ulong(window), ctypes.byref(root), ctypes.byref(parent), ctypes.byref(items), ctypes.byref(count)
        )
        found = items[: count.value] if items else []
        if items:
            X.XFree(items)
        return found

    def describe(self, window, is_managed):
        attributes = self.attributes(window)
        if attributes is None or attributes.map_state != VIEWABLE:
            return None
        x, y = self.origin(window)
        title = self.property(window, "_NET_WM_NAME") or self.property(window, "WM_NAME") or b""
        pid = self.property(window, "_NET_WM_PID")
        edges = self.property(window, "_GTK_FRAME_EXTENTS")
        return {
            "id": window,
            "title": bytes(title).decode("utf-8", "replace"),
            "pid": pid[0] if pid else 0,
            "box": [x, y, attributes.width, attributes.height],
            "managed": is_managed,
            "edges": list(edges) if len(edges) == 4 else None,
        }

    def windows(self):
        """From the lowest to the topmost: those the window manager lists, then the pop-ups, which it does not manage."""
        managed = [self.describe(window, True) for window in self.property(self.root.value, "_NET_CLIENT_LIST_STACKING")]
        popups = []
        for window in self.children(self.root.value):
            attributes = self.attributes(window)
            is_popup = attributes is not None and attributes.override_redirect and attributes.window_class == 1
            # Frames of the window manager are override-redirect, too; they have no process.
            if is_popup and self.property(window, "_NET_WM_PID"):
                popups.append(self.describe(window, False))
        return [window for window in [*managed, *popups] if window is not None]

    def look_away(self):
        """Gives the keyboard to a window of nobody, and prints which window had it. If nothing had it, the window manager would give it back to the last window."""
        values = WindowValues(override_redirect=1)
        window = ctypes.c_ulong(
            X.XCreateWindow(
                self.handle, self.root, -10, -10, 1, 1, 0, 0, INPUT_ONLY, None, ctypes.c_ulong(OVERRIDE_REDIRECT), ctypes.byref(values)
            )
        )
        X.XMapWindow(self.handle, window)
        X.XSync(self.handle, 0)
        had, reverts_to = ctypes.c_ulong(), ctypes.c_int()
        X.XGetInputFocus(self.handle, ctypes.byref(had), ctypes.byref(reverts_to))
        print(had.value)
        X.XSetInputFocus(self.handle, window, NONE, ctypes.c_ulong(0))
        # The window stays when this program has ended.
        X.XSetCloseDownMode(self.handle, RETAIN_PERMANENT)
        X.XSync(self.handle, 0)

    def repaint(self):
        """Covers the screen for a moment with a window that draws nothing, so that all that was covered is drawn anew."""
        values = WindowValues(override_redirect=1)
        root = self.attributes(self.root.value)
        window = ctypes.c_ulong(
            X.XCreateWindow(
                self.handle, self.root, 0, 0, root.width, root.height, 0, 0, INPUT_OUTPUT, None, ctypes.c_ulong(OVERRIDE_REDIRECT),
                ctypes.byref(values),
            )
        )
        X.XMapWindow(self.handle, window)
        X.XSync(self.handle, 0)
        X.XDestroyWindow(self.handle, window)
        X.XSync(self.handle, 0)

    def look_back(self, window):
        """Gives the keyboard back, unless the window is no longer there."""
        X.XSetInputFocus(self.handle, ctypes.c_ulong(window), REVERT_TO_PARENT, ctypes.c_ulong(0))
        X.XSync(self.handle, 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["look-away"]:
        Display().look_away()
    elif sys.argv[1:] == ["repaint"]:
        Display().repaint()
    elif sys.argv[1:2] == ["look-back"]:
        Display().look_back(int(sys.argv[2]))
    else:
        json.dump(Display().windows(), sys.stdout)
