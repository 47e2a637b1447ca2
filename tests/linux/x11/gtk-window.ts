import type { TestServer } from './x-server.ts';

export interface GtkWindow {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** As CSS. */
  readonly colour: string;
  /** Ask for a visual with transparency, as windows with their own decoration do. */
  readonly alpha?: boolean;
  /** Open a menu-like window of this size too, without the window manager. */
  readonly popup?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

const PROGRAM = `
import json, sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk
spec = json.loads(sys.argv[1])
def make(kind, spec, colour):
    window = Gtk.Window(type=kind)
    if spec.get("alpha"):
        window.set_visual(Gdk.Screen.get_default().get_rgba_visual())
    css = Gtk.CssProvider()
    css.load_from_data(("window { background: %s; }" % colour).encode())
    window.get_style_context().add_provider(css, 800)
    window.set_default_size(spec["width"], spec["height"])
    window.resize(spec["width"], spec["height"])
    window.move(spec["x"], spec["y"])
    return window
window = make(Gtk.WindowType.TOPLEVEL, spec, spec["colour"])
window.set_title(spec["title"])
window.connect("destroy", Gtk.main_quit)
window.show_all()
if "popup" in spec:
    popup = make(Gtk.WindowType.POPUP, spec["popup"], "black")
    popup.set_type_hint(Gdk.WindowTypeHint.POPUP_MENU)
    popup.set_transient_for(window)
    popup.show_all()
Gtk.main()
`;

/** Shows a plain GTK 3 window; resolves when it is on screen. */
export function openGtk(server: TestServer, window: GtkWindow): Promise<{ id: number; pid: number }> {
  return server.open(window.title, '/usr/bin/python3', ['-c', PROGRAM, JSON.stringify(window)]);
}
