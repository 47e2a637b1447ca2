import { randomBytes } from 'node:crypto';
import { liveDeadline } from '../../../model/live-deadline.ts';
import type { CallOptions } from '../../../ports/desktop.ts';
import type { ProbeWindow } from '../../../ports/probe-window.ts';
import { displayOf, openClipboard } from '../desktop/connections.ts';
import type { Environment } from '../machine/desktop-environment.ts';
import { ProbeLog } from './probe-log.ts';
import { ProbeSurface } from './probe-surface.ts';
import { ProbeTree } from './probe-tree.ts';

/** A selection that no program knows. */
const CLIPBOARD = '_DESKTERITY_PROBE_CLIPBOARD';
/** For a question of the accessibility bus about where the window is. */
const PLACE_MS = 1000;

/**
 * Shows a window with a tree. Both are on connections of their own, as an application's would be.
 * @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE, TIMEOUT, CANCELLED
 */
export async function openProbe(environment: Environment, call: CallOptions): Promise<ProbeWindow> {
  const options = liveDeadline(call, () => performance.now());
  const title = `Deskterity probe ${randomBytes(2).toString('hex')}`;
  const log = new ProbeLog();
  const surface = await ProbeSurface.open(
    displayOf(environment),
    { title, onEvent: (event) => log.add(event) },
    { deadlineMs: options.deadlineMs, signal: options.signal, xauthority: environment['XAUTHORITY'] },
  );
  let tree: ProbeTree;
  try {
    tree = await ProbeTree.open(
      environment['DBUS_SESSION_BUS_ADDRESS'],
      {
        title,
        origin: () => surface.bounds({ deadlineMs: PLACE_MS }),
        onPress: () => log.add({ kind: 'pressed' }),
      },
      options,
    );
  } catch (error) {
    await surface.close();
    throw error;
  }
  surface.onLoss(() => log.end());
  tree.onLoss(() => log.end());
  const clipboard = openClipboard(environment, CLIPBOARD);
  return {
    title,
    windowId: `x11:0x${surface.window.toString(16)}`,
    elements: tree.elements,
    colour: surface.colour,
    clipboard,
    get content() {
      return tree.content;
    },
    record: log.events,
    until: (isWanted, waiting) => log.until(isWanted, waiting),
    toggle: () => tree.toggle(),
    bounds: (asking) => surface.bounds(asking),
    hasKeyboard: (asking) => surface.hasKeyboard(asking),
    cover: (asking) => surface.cover(asking),
    close: async () => {
      log.end();
      await Promise.all([surface.close(), tree.close(), clipboard.close()]);
    },
  };
}
