import type { Point } from '../../../../../ports/input.ts';
import type { DisplayPointContent } from '../../display.ts';
import { readNumber, readProperty } from '../properties.ts';
import { isManagerAlive, readRootState } from '../root-state.ts';
import { connectedPid, readOwnerPid } from './owner-pid.ts';
import { windowIdOf } from './window-id.ts';
import { isUserType, readBounds } from './window.ts';
import type { X11Wire } from '../wire.ts';

/** Bits of a resource id that the client chooses; the others identify the client. */
export const OWN_BITS = 21;
/** Toolkits nest only a few windows; an endless nesting must not block us. */
const MAX_NESTING = 64;
/** Positions in the X11 protocol have 16 bits. */
const FURTHEST = 32_767;

/** Uses the server's own rules: stacking, shape and mapping. */
export async function contentAt(wire: X11Wire, point: Point): Promise<DisplayPointContent> {
  const chain = await windowsAt(wire, point);
  const [content, clientPids] = await Promise.all([contentOf(wire, chain), clientsOf(wire, chain)]);
  return clientPids.length === 0 ? content : { ...content, clientPids };
}

/** A window may have been put into one of another program; the frame is that of the window manager. */
async function clientsOf(wire: X11Wire, chain: readonly number[]): Promise<readonly number[]> {
  const byClient = new Map(chain.map((id) => [id >>> OWN_BITS, id]));
  const pids = await Promise.all([...byClient.values()].map((id) => connectedPid(wire, id)));
  return pids.filter((pid) => pid !== undefined);
}

async function contentOf(wire: X11Wire, chain: readonly number[]): Promise<DisplayPointContent> {
  const [outermost] = chain;
  if (outermost === undefined) return {};
  const [attributes, { manager, clients }] = await Promise.all([
    wire.tryCall('GetWindowAttributes', outermost),
    readRootState(wire),
  ]);
  const isManaged = clients !== undefined && (await isManagerAlive(wire, manager));
  const managed = isManaged ? chain.find((id) => clients.includes(id)) : undefined;
  // The frames of i3 have this flag, too.
  if (managed === undefined && attributes !== undefined && attributes.overrideRedirect !== 0)
    return popupContent(wire, outermost, clients ?? []);
  const window = isManaged ? managed : outermost;
  if (window === undefined) return {};
  const [type, pid] = await Promise.all([
    readProperty(wire, window, '_NET_WM_WINDOW_TYPE'),
    readOwnerPid(wire, window),
  ]);
  return isUserType(wire, type) ? { windowId: windowIdOf(window), pid } : {};
}

async function popupContent(
  wire: X11Wire,
  id: number,
  clients: readonly number[],
): Promise<DisplayPointContent> {
  const [bounds, pid, transientFor, type] = await Promise.all([
    readBounds(wire, id),
    readOwnerPid(wire, id),
    readNumber(wire, id, 'WM_TRANSIENT_FOR'),
    readNumber(wire, id, '_NET_WM_WINDOW_TYPE'),
  ]);
  if (bounds === undefined) return {};
  // Without properties, the owner is the client that created it.
  const family = clients.find((client) => client >>> OWN_BITS === id >>> OWN_BITS);
  const relative = transientFor || family;
  const owner = pid ?? (relative === undefined ? undefined : await readOwnerPid(wire, relative));
  const isTooltip = type === wire.atom('_NET_WM_WINDOW_TYPE_TOOLTIP');
  return { pid: owner, popup: { bounds, isTooltip } };
}

/** The windows at a point, outermost first, without the root. */
async function windowsAt(wire: X11Wire, { x, y }: Point): Promise<number[]> {
  const chain: number[] = [];
  if (![x, y].every((value) => Number.isInteger(value) && value >= 0 && value <= FURTHEST)) return chain;
  const screen = await readBounds(wire, wire.root);
  // Windows can extend beyond the screen, the pointer cannot.
  if (screen === undefined || x >= screen.width || y >= screen.height) return chain;
  let inside = wire.root;
  while (chain.length < MAX_NESTING) {
    const reply = await wire.tryCall('TranslateCoordinates', wire.root, inside, x, y);
    if (!reply?.child) break;
    inside = reply.child;
    chain.push(inside);
  }
  return chain;
}
