import { randomBytes } from 'node:crypto';
import { liveDeadline } from '../../../model/live-deadline.ts';
import type { CallOptions } from '../../../ports/desktop.ts';
import type { ProbeWindow } from '../../../ports/probe-window.ts';
import type { Display } from '../display/display.ts';
import { unsupportedPart } from '../display/missing-parts.ts';
import type { Environment } from '../machine/desktop-environment.ts';
import { ProbeLog } from './probe-log.ts';
import { PROBE_SIZE } from './probe-elements.ts';
import { ProbeTree } from './probe-tree.ts';

/** For a call from the accessibility bus for the window's position. */
const PLACE_MS = 1000;

/**
 * Shows a window with an accessibility tree. Both use separate connections, as an application's would.
 * @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE, TIMEOUT, CANCELLED; ACTION_NOT_SUPPORTED if the display has no windows
 */
export async function openProbe(
  { display, environment }: { readonly display: Display; readonly environment: Environment },
  call: CallOptions,
): Promise<ProbeWindow> {
  const options = liveDeadline(call, performance);
  const title = `Deskterity probe ${randomBytes(2).toString('hex')}`;
  const log = new ProbeLog();
  if (display.openProbe === undefined) throw unsupportedPart('windows');
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
    bounds: (options) => surface.bounds(options),
    hasKeyboard: (options) => surface.hasKeyboard(options),
    cover: (options) => surface.cover(options),
    close: async () => {
      log.end();
      await Promise.all([surface.close(), tree.close()]);
    },
  };
}
