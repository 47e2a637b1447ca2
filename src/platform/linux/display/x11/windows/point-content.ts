import type { Point } from '../../../../../ports/input.ts';
import type { DisplayPointContent } from '../../display.ts';
import { readNumber, readProperty } from '../properties.ts';
import { isManagerAlive, readRootState, type RootState } from '../root-state.ts';
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
  const [chain, state] = await Promise.all([windowsAt(wire, point), readRootState(wire)]);
  const [content, clientPids] = await Promise.all([contentOf(wire, chain, state), clientsOf(wire, chain)]);
  return clientPids.length === 0 ? content : { ...content, clientPids };
}

/** A window may have been put into one of another program; the frame is that of the window manager. */
async function clientsOf(wire: X11Wire, chain: readonly number[]): Promise<readonly number[]> {
  const byClient = new Map(chain.map((id) => [id >>> OWN_BITS, id]));
  const pids = await Promise.all([...byClient.values()].map((id) => connectedPid(wire, id)));
  return pids.filter((pid) => pid !== undefined);
}

async function contentOf(
  wire: X11Wire,
  chain: readonly number[],
  { manager, clients }: RootState,
): Promise<DisplayPointContent> {
  const [outermost] = chain;
  if (outermost === undefined) return {};
  const client = chain.find((id) => clients?.includes(id) === true);
  const [attributes, isAlive, ofClient] = await Promise.all([
    wire.tryCall('GetWindowAttributes', outermost),
    isManagerAlive(wire, manager),
    client === undefined ? undefined : userWindow(wire, client),
  ]);
  const isManaged = clients !== undefined && isAlive;
  if (isManaged && ofClient !== undefined) return ofClient;
  // The frames of i3 have this flag, too.
  if (attributes !== undefined && attributes.overrideRedirect !== 0)
    return popupContent(wire, outermost, clients ?? []);
  return isManaged ? {} : userWindow(wire, outermost);
}

async function userWindow(wire: X11Wire, window: number): Promise<DisplayPointContent> {
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

/** The windows at a point, outermost first, without the root. One round trip where they are those of the last call. */
async function windowsAt(wire: X11Wire, { x, y }: Point): Promise<readonly number[]> {
  if (![x, y].every((value) => Number.isInteger(value) && value >= 0 && value <= FURTHEST)) return [];
  const childIn = async (window: number): Promise<number> =>
    (await wire.tryCall('TranslateCoordinates', wire.root, window, x, y))?.child ?? 0;
  const expected = [wire.root, ...(lastChains.get(wire) ?? [])];
  const [screen, children] = await Promise.all([
    readBounds(wire, wire.root),
    Promise.all(expected.map((window) => childIn(window))),
  ]);
  // Windows can extend beyond the screen, the pointer cannot.
  if (screen === undefined || x >= screen.width || y >= screen.height) return [];
  const known = new Map(expected.map((window, index) => [window, children[index]]));
  const chain: number[] = [];
  let inside = wire.root;
  while (chain.length < MAX_NESTING) {
    inside = known.get(inside) ?? (await childIn(inside));
    if (inside === 0) break;
    chain.push(inside);
  }
  lastChains.set(wire, chain);
  return chain;
}

const lastChains = new WeakMap<X11Wire, readonly number[]>();
