import { numbersOf, readPropertyOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';

/** Set on windows that shall not get the focus when they open; says nothing of input. */
const NONE = 0;

/**
 * EWMH `_NET_WM_USER_TIME` of a window, or of the window that it keeps it on. GTK puts there the last key or button it had taken in, Qt the
 * time of the last event of any kind.
 */
export async function readUserTime(wire: X11Wire, window: number): Promise<number | undefined> {
  const [time, keeper] = await Promise.all([
    wire.internAtom('_NET_WM_USER_TIME'),
    wire.internAtom('_NET_WM_USER_TIME_WINDOW'),
  ]);
  const [own, elsewhere] = await Promise.all([first(wire, window, time), first(wire, window, keeper)]);
  const found = own ?? (elsewhere === undefined ? undefined : await first(wire, elsewhere, time));
  return found === NONE ? undefined : found;
}

async function first(wire: X11Wire, window: number, atom: number): Promise<number | undefined> {
  return numbersOf(await readPropertyOf(wire, window, atom))[0];
}
