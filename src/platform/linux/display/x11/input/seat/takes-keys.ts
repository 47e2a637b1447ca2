import { numbersOf, readProperty } from '../../properties.ts';
import type { X11Wire } from '../../wire.ts';
import { VIEWABLE } from '../../x11-library.ts';

/** Of WM_HINTS: the second number says whether the window wants the keyboard, if the first has this flag. */
const INPUT_HINT = 1;
const KINDS = ['_NET_WM_WINDOW_TYPE_NORMAL', '_NET_WM_WINDOW_TYPE_DIALOG'] as const;

/** Whether a window that opens is one that a person goes on to work in: no notice, splash screen or tooltip. */
export async function takesKeys(wire: X11Wire, window: number): Promise<boolean> {
  const [hints, kind, attributes] = await Promise.all([
    readProperty(wire, window, 'WM_HINTS'),
    readProperty(wire, window, '_NET_WM_WINDOW_TYPE'),
    wire.tryCall('GetWindowAttributes', window),
  ]);
  if (attributes?.mapState !== VIEWABLE) return false;
  const [flags = 0, wants = 1] = numbersOf(hints);
  if ((flags & INPUT_HINT) !== 0 && wants === 0) return false;
  const [first] = numbersOf(kind);
  return first === undefined || KINDS.some((name) => wire.atom(name) === first);
}
