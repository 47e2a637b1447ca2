import { randomBytes } from 'node:crypto';
import { liveDeadline } from '../../../model/live-deadline.ts';
import type { CallOptions } from '../../../ports/desktop.ts';
import type { ProbeWindow } from '../../../ports/probe-window.ts';
import type { Display } from '../display/display.ts';
import { lacks } from '../display/missing-parts.ts';
import type { Environment } from '../machine/desktop-environment.ts';
import { ProbeLog } from './probe-log.ts';
import { PROBE_SIZE } from './probe-elements.ts';
import { ProbeTree } from './probe-tree.ts';

/** For a question of the accessibility bus about where the window is. */
const PLACE_MS = 1000;

/**
 * Shows a window with a tree. Both are on connections of their own, as an application's would be.
 * @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE, TIMEOUT, CANCELLED; ACTION_NOT_SUPPORTED where the display shows none
 */
export async function openProbe(
  { display, environment }: { readonly display: Display; readonly environment: Environment },
  call: CallOptions,
): Promise<ProbeWindow> {
  const options = liveDeadline(call, () => performance.now());
  const title = `Deskterity probe ${randomBytes(2).toString('hex')}`;
  const log = new ProbeLog();
  if (display.openProbe === undefined) throw lacks('windows');
  const surface = await display.openProbe(
    { title, size: PROBE_SIZE, onEvent: (event) => log.add(event) },
    { deadlineMs: options.deadlineMs, signal: options.signal },
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
  return {
    title,
    windowId: surface.windowId,
    elements: tree.elements,
    colour: surface.colour,
    remedies: surface.remedies,
    clipboard: surface.clipboard,
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
      await Promise.all([surface.close(), tree.close()]);
    },
  };
}
