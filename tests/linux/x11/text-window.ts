import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from './x-server.ts';

const PROGRAM = `
import os, sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
title, file, x, y = sys.argv[1:5]
window = Gtk.Window(title=title)
view = Gtk.TextView()
window.add(view)
window.set_default_size(400, 200)
window.move(int(x), int(y))
def write(buffer):
    with open(file + ".new", "w") as new:
        new.write(buffer.get_text(*buffer.get_bounds(), True))
    os.replace(file + ".new", file)
view.get_buffer().connect("changed", write)
write(view.get_buffer())
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
`;

const OPENER = `
import signal, sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, GLib
title, x, y, delay = sys.argv[1:5]
window = Gtk.Window(title=title)
button = Gtk.Button(label="Open")
window.add(button)
window.set_default_size(200, 100)
window.move(int(x), int(y))
def show():
    dialog = Gtk.Dialog(title="opened by " + title, transient_for=window)
    dialog.get_content_area().add(Gtk.Entry())
    dialog.show_all()
    dialog.present()
if delay == "asked":
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, show)
else:
    button.connect("clicked", lambda _: GLib.timeout_add(int(delay), show))
window.show_all()
Gtk.main()
`;

/**
 * A window that is all one button, 200 × 100 pixels, which opens a dialog a moment later, or when its process gets SIGUSR1 if `delayMs` is `asked`. Resolves with its
 * middle.
 */
export async function openOpener(
  server: TestServer,
  title: string,
  { x, y, delayMs = 80 }: { readonly x: number; readonly y: number; readonly delayMs?: number | 'asked' },
): Promise<{ readonly id: number; readonly pid: number; readonly x: number; readonly y: number }> {
  const { id, pid } = await server.open(title, '/usr/bin/python3', [
    '-c',
    OPENER,
    title,
    ...[x, y, delayMs].map(String),
  ]);
  return { id, pid, x: x + 100, y: y + 60 };
}

/** A window of GTK 3 with a text area, 400 × 200 pixels. */
export interface TextWindow {
  readonly id: number;
  /** Its middle. */
  readonly point: { readonly x: number; readonly y: number };
  /** What the text area contains. */
  text(): string;
}

/** Arguments of Python that show one; what it contains is also in `file`. */
export function textWindowArguments(
  title: string,
  file: string,
  at: { readonly x: number; readonly y: number },
): string[] {
  return ['-c', PROGRAM, title, file, String(at.x), String(at.y)];
}

export async function openTextWindow(
  server: TestServer,
  title: string,
  at: { readonly x: number; readonly y: number },
): Promise<TextWindow> {
  const file = join(server.folder, `${title}.txt`);
  const { id } = await server.open(title, '/usr/bin/python3', textWindowArguments(title, file, at));
  return { id, point: { x: at.x + 200, y: at.y + 120 }, text: () => readFileSync(file, 'utf8') };
}
