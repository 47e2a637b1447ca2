import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { InputLease, Point } from '../../../src/ports/input.ts';
import { soon, type SeatActs } from './fixture-acts.ts';
import { isInserted } from './told-text.ts';

const CALL = { deadlineMs: 10_000 };
const TITLE = /^typed \[(?<text>[^\]]*)\]/;
export const TYPED_READY = /^typed \[/;

const GTK3 = `
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="starting")
entry = Gtk.Entry()
window.add(entry)
def tell(*_):
    window.set_title("typed [%s]" % entry.get_text())
entry.connect("changed", tell)
window.set_default_size(600, 100)
window.move(60, 60)
window.show_all()
tell()
Gtk.main()
`;

function qt(binding: 'PyQt5' | 'PyQt6'): string {
  return `
from ${binding} import QtWidgets
app = QtWidgets.QApplication(["typed"])
entry = QtWidgets.QLineEdit()
def tell():
    entry.setWindowTitle("typed [%s]" % entry.text())
entry.textChanged.connect(lambda _: tell())
tell()
entry.resize(600, 100)
entry.move(60, 60)
entry.show()
(app.exec_ if hasattr(app, "exec_") else app.exec)()
`;
}

/** A field of a program that passes each key through an input method of the X library: what a dead key or a compose key begins is put together there. */
export interface ComposedField {
  readonly toolkit: string;
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

const XIM = { XMODIFIERS: '@im=none', LC_ALL: 'C.UTF-8' };

export const COMPOSED: readonly ComposedField[] = [
  { toolkit: 'gtk3', program: GTK3, environment: { ...XIM, GTK_IM_MODULE: 'xim' } },
  { toolkit: 'qt5', program: qt('PyQt5'), environment: { ...XIM, QT_IM_MODULE: 'compose' } },
  { toolkit: 'qt6', program: qt('PyQt6'), environment: { ...XIM, QT_IM_MODULE: 'compose' } },
];

/** In this layout, the keys of quotation marks, the tilde and the circumflex are dead: alone they type nothing, and a letter after them gets an accent. */
export const DEAD_KEYS = ['-layout', 'us', '-variant', 'intl'];

/** No digit, which only the user types. Each begins with what a dead key would hold back. */
const TEXTS = [`it's "so" ~a`, `'e "u ^o`, 'é ü õ ñ', 'Zażółć Ω'];

/** Types texts that an input method would change if it took our keys for those of dead ones, or mixed them with the keys of the user. */
export function composedActs(desktop: LinuxDesktop, lease: InputLease, window: DesktopWindow): SeatActs {
  const told = async (): Promise<string> => {
    const title = (await desktop.listWindows(CALL)).find(({ id }) => id === window.id)?.title ?? '';
    return TITLE.exec(title)?.groups?.['text'] ?? '';
  };
  const { x, y, width, height } = window.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
  const middle: Point = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  const textOf = (round: number): string => TEXTS[round % TEXTS.length] ?? '';
  const click = async (): Promise<void> => {
    await lease.moveTo(middle, CALL);
    await lease.click('left', 1, { ...CALL, onto: await lease.under(CALL) });
  };
  let isThere = false;
  let before = '';
  return {
    acts: [
      {
        use: 'keys',
        before: async () => {
          // Once: a second click soon after would be a double click, which selects a word.
          if (!isThere) await click();
          isThere = true;
          before = await told();
        },
        run: async (round) => {
          const options = { ...CALL, delayMs: 0, check: async () => undefined, into: window.id };
          await lease.type(textOf(round), options);
          return 'sent';
        },
        arrived: (round) => soon(async () => isInserted(textOf(round), before, await told())),
      },
    ],
    text: told,
  };
}
