import { clip, quote } from '../../../../../model/text/untrusted-text.ts';
import { OWN_BITS } from '../windows/point-content.ts';
import { numbersOf, readProperty, textOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';

const LONGEST = 80;

/** Who owns a selection, for people: owners are seldom windows that one sees, so that another window of the same client may have to tell. */
export async function selectionOwnerName(wire: X11Wire, owner: number): Promise<string> {
  const id = `the X window 0x${owner.toString(16)}`;
  try {
    const windows = numbersOf(await readProperty(wire, wire.root, '_NET_CLIENT_LIST'));
    const family = windows.filter((window) => window >>> OWN_BITS === owner >>> OWN_BITS);
    for (const window of [owner, ...family]) {
      const [title, plainTitle, pid] = await Promise.all([
        readProperty(wire, window, '_NET_WM_NAME'),
        readProperty(wire, window, 'WM_NAME'),
        readProperty(wire, window, '_NET_WM_PID'),
      ]);
      const name = textOf(wire, title) ?? textOf(wire, plainTitle);
      const [number] = numbersOf(pid);
      if (name === undefined || name === '') continue;
      return `${quote(clip(name, LONGEST))}${number === undefined ? '' : ` (process ${number})`}`;
    }
    return id;
  } catch {
    return id;
  }
}
