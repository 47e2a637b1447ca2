import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { InputLease, Point } from '../../../src/ports/input.ts';
import { soon, type SeatActs } from './fixture-acts.ts';

const CALL = { deadlineMs: 10_000 };
const DRAG_MS = 400;
const TITLE = /^drops (?<drops>\d+) from (?<x>\d+),(?<y>\d+) to (?<toX>\d+),(?<toY>\d+)/;

const GTK3 = `
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk, GLib
window = Gtk.Window(title="starting")
columns = Gtk.Box(spacing=20)
window.add(columns)
targets = [Gtk.TargetEntry.new("text/plain", Gtk.TargetFlags.SAME_APP, 0)]
def list_of(names):
    store = Gtk.ListStore(str)
    for name in names:
        store.append([name])
    view = Gtk.TreeView(model=store)
    view.append_column(Gtk.TreeViewColumn("Names", Gtk.CellRendererText(), text=0))
    columns.pack_start(view, True, True, 0)
    return view
source = list_of(["Row %d" % n for n in range(1, 20)])
goal = list_of([])
source.enable_model_drag_source(Gdk.ModifierType.BUTTON1_MASK, targets, Gdk.DragAction.COPY)
goal.enable_model_drag_dest(targets, Gdk.DragAction.COPY)
def give(view, _, data, *__):
    model, at = view.get_selection().get_selected()
    data.set_text(model[at][0], -1)
def take(view, context, x, y, data, info, time):
    view.get_model().append([data.get_text()])
    context.finish(True, False, time)
source.connect("drag-data-get", give)
goal.connect("drag-data-received", take)
def tell():
    _, left, top = source.get_bin_window().get_origin()
    _, x, y = goal.get_bin_window().get_origin()
    window.set_title("drops %d from %d,%d to %d,%d" % (len(goal.get_model()), left + 20, top + 40, x + 60, y + 150))
    return True
GLib.timeout_add(100, tell)
window.set_default_size(600, 500)
window.move(60, 60)
window.show_all()
Gtk.main()
`;

function qt(binding: 'PyQt5' | 'PyQt6'): string {
  return `
from ${binding} import QtCore, QtWidgets
app = QtWidgets.QApplication(["lists"])
window = QtWidgets.QWidget()
window.setWindowTitle("starting")
columns = QtWidgets.QHBoxLayout(window)
def list_of(names):
    view = QtWidgets.QListWidget()
    view.addItems(names)
    columns.addWidget(view)
    return view
source = list_of(["Row %d" % n for n in range(1, 40)])
goal = list_of([])
source.setDragEnabled(True)
goal.setAcceptDrops(True)
goal.setDefaultDropAction(QtCore.Qt.DropAction.CopyAction)
def tell():
    start = source.viewport().mapToGlobal(QtCore.QPoint(20, 30))
    end = goal.viewport().mapToGlobal(QtCore.QPoint(60, 200))
    window.setWindowTitle("drops %d from %d,%d to %d,%d" % (goal.count(), start.x(), start.y(), end.x(), end.y()))
timer = QtCore.QTimer()
timer.timeout.connect(tell)
timer.start(100)
window.resize(600, 500)
window.move(60, 60)
window.show()
(app.exec_ if hasattr(app, "exec_") else app.exec)()
`;
}

/** A window with two lists: a row that is dragged from the first to the second is then in that, too. */
export const TWO_LISTS: readonly { readonly toolkit: string; readonly program: string }[] = [
  { toolkit: 'gtk3', program: GTK3 },
  { toolkit: 'qt5', program: qt('PyQt5') },
  { toolkit: 'qt6', program: qt('PyQt6') },
];
export const LISTS_READY = /^drops \d/;

/** Drags rows from one list to the other. */
export function listActs(desktop: LinuxDesktop, lease: InputLease, window: DesktopWindow): SeatActs {
  const told = async (): Promise<{ drops: number; from: Point; to: Point }> => {
    const title = (await desktop.listWindows(CALL)).find(({ id }) => id === window.id)?.title ?? '';
    const { groups = {} } = TITLE.exec(title) ?? {};
    const number = (name: string): number => Number(groups[name] ?? 0);
    return {
      drops: number('drops'),
      from: { x: number('x'), y: number('y') },
      to: { x: number('toX'), y: number('toY') },
    };
  };
  let drops = 0;
  return {
    acts: [
      {
        use: 'drag',
        run: async () => {
          const { from, to, ...before } = await told();
          drops = before.drops;
          await lease.moveTo(from, CALL);
          await lease.buttonDown('left', CALL);
          await lease.moveTo(to, { ...CALL, durationMs: DRAG_MS });
          await lease.buttonUp('left', CALL);
          return 'sent';
        },
        arrived: () => soon(async () => (await told()).drops === drops + 1),
      },
    ],
    // Nothing is typed there.
    text: async () => '',
  };
}
