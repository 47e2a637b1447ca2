import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { InputLease, Point } from '../../../src/ports/input.ts';
import { soon, type SeatActs } from './fixture-acts.ts';

const CALL = { deadlineMs: 10_000 };
const DRAG_MS = 500;
const SOURCE = /^drag from (?<x>\d+),(?<y>\d+)/;
const GOAL = /^dropped (?<drops>\d+) wrong (?<wrong>\d+) at (?<x>\d+),(?<y>\d+)/;
export const SOURCE_READY = /^drag from \d/;
export const GOAL_READY = /^dropped \d/;
/** What is dragged. */
const CARGO = 'cargo of the agent';

const GTK = `
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk, GLib
window = Gtk.Window(title="starting")
label = Gtk.Label(label="${CARGO}")
box = Gtk.EventBox()
box.add(label)
window.add(box)
targets = [Gtk.TargetEntry.new("text/plain", 0, 0), Gtk.TargetEntry.new("UTF8_STRING", 0, 0)]
window.set_default_size(300, 300)
def middle():
    _, x, y = window.get_window().get_origin()
    return x + window.get_allocated_width() // 2, y + window.get_allocated_height() // 2
`;

const GTK_SOURCE = `${GTK}
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, targets, Gdk.DragAction.COPY)
box.connect("drag-data-get", lambda _, context, data, info, time: data.set_text("${CARGO}", -1))
def tell():
    window.set_title("drag from %d,%d" % middle())
    return True
GLib.timeout_add(100, tell)
window.move(60, 60)
window.show_all()
Gtk.main()
`;

const GTK_GOAL = `${GTK}
told = dict(drops=0, wrong=0)
box.drag_dest_set(Gtk.DestDefaults.ALL, targets, Gdk.DragAction.COPY)
def take(_, context, x, y, data, info, time):
    told["drops" if data.get_text() == "${CARGO}" else "wrong"] += 1
box.connect("drag-data-received", take)
def tell():
    window.set_title("dropped %d wrong %d at %d,%d" % (told["drops"], told["wrong"], *middle()))
    return True
GLib.timeout_add(100, tell)
window.move(600, 60)
window.show_all()
Gtk.main()
`;

function qt(binding: 'PyQt5' | 'PyQt6', body: string): string {
  return `
from ${binding} import QtCore, QtGui, QtWidgets
app = QtWidgets.QApplication(["drag"])
class Area(QtWidgets.QWidget):
${body}
area = Area()
area.setWindowTitle("starting")
told = dict(drops=0, wrong=0)
def tell():
    at = area.mapToGlobal(area.rect().center())
    area.setWindowTitle(area.told(at.x(), at.y()))
timer = QtCore.QTimer()
timer.timeout.connect(tell)
timer.start(100)
area.resize(300, 300)
area.begin()
area.show()
(app.exec_ if hasattr(app, "exec_") else app.exec)()
`;
}

const QT_SOURCE = `    def begin(self):
        self.move(60, 60)
    def told(self, x, y):
        return "drag from %d,%d" % (x, y)
    def mouseMoveEvent(self, event):
        drag = QtGui.QDrag(self)
        data = QtCore.QMimeData()
        data.setText("${CARGO}")
        drag.setMimeData(data)
        (drag.exec_ if hasattr(drag, "exec_") else drag.exec)(QtCore.Qt.DropAction.CopyAction)
`;

const QT_GOAL = `    def begin(self):
        self.move(600, 60)
        self.setAcceptDrops(True)
    def told(self, x, y):
        return "dropped %d wrong %d at %d,%d" % (told["drops"], told["wrong"], x, y)
    def dragEnterEvent(self, event):
        event.acceptProposedAction()
    def dropEvent(self, event):
        told["drops" if event.mimeData().text() == "${CARGO}" else "wrong"] += 1
        event.acceptProposedAction()
`;

/** A program that something is dragged out of, and another one that it is dropped on. */
export interface TwoPrograms {
  /** Of the one that it is dragged out of, as `requireProven` knows it. */
  readonly toolkit: string;
  readonly source: string;
  readonly goal: string;
}

export const TWO_PROGRAMS: readonly TwoPrograms[] = [
  { toolkit: 'gtk3', source: GTK_SOURCE, goal: qt('PyQt5', QT_GOAL) },
  { toolkit: 'qt5', source: qt('PyQt5', QT_SOURCE), goal: GTK_GOAL },
  { toolkit: 'qt6', source: qt('PyQt6', QT_SOURCE), goal: GTK_GOAL },
];

/** Drags a text out of one program and drops it on the other, which counts it if it is that text. */
export function crossingActs(
  desktop: LinuxDesktop,
  lease: InputLease,
  { source, goal }: { readonly source: DesktopWindow; readonly goal: DesktopWindow },
): SeatActs {
  const groupsOf = async ({ id }: DesktopWindow, title: RegExp): Promise<(name: string) => number> => {
    const shown = (await desktop.listWindows(CALL)).find((window) => window.id === id)?.title ?? '';
    const { groups = {} } = title.exec(shown) ?? {};
    return (name) => Number(groups[name] ?? 0);
  };
  const at = (number: (name: string) => number): Point => ({ x: number('x'), y: number('y') });
  let before = { drops: 0, wrong: 0 };
  const dropped = async () => {
    const number = await groupsOf(goal, GOAL);
    return { drops: number('drops'), wrong: number('wrong') };
  };
  return {
    acts: [
      {
        use: 'drag',
        before: async () => {
          before = await dropped();
        },
        run: async () => {
          const [from, to] = [at(await groupsOf(source, SOURCE)), at(await groupsOf(goal, GOAL))];
          await lease.moveTo(from, CALL);
          await lease.buttonDown('left', CALL);
          await lease.moveTo(to, { ...CALL, durationMs: DRAG_MS });
          await lease.buttonUp('left', CALL);
          return 'sent';
        },
        arrived: () =>
          soon(async () => {
            const now = await dropped();
            return now.drops === before.drops + 1 && now.wrong === before.wrong;
          }),
      },
    ],
    // Nothing is typed there.
    text: async () => '',
  };
}
