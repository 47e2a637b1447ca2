import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { Point } from '../../../../../ports/input.ts';
import { numbersOf, readProperty } from '../properties.ts';
import { isManagerAlive, readRootState } from '../root-state.ts';
import { isForPeople, readAttributes, readBounds } from './window.ts';
import type { X11Wire } from '../wire.ts';

/** What the server would give a click to. */
export interface X11PointContent {
  /** The client window there, as the window manager lists it. */
  readonly window?: number | undefined;
  readonly pid?: number | undefined;
  /** Of a window that was placed without the window manager. */
  readonly popup?: { readonly bounds: Bounds; readonly transientFor: number | undefined } | undefined;
}

/** Bits of a resource number that a client chooses itself; the others say which client it is. */
export const OWN_BITS = 21;
/** Toolkits nest a few windows; a client that nests for ever must not keep us. */
const MAX_NESTING = 64;
/** Positions on the wire are 16 bits wide. */
const FURTHEST = 32_767;

/** Looks where the server itself looks: by stacking, shape and mapping. */
export async function contentAt(wire: X11Wire, point: Point): Promise<X11PointContent> {
  const chain = await windowsAt(wire, point);
  const [outermost] = chain;
  if (outermost === undefined) return {};
  const [attributes, { manager, clients }] = await Promise.all([
    readAttributes(wire, outermost),
    readRootState(wire),
  ]);
  if (attributes !== undefined && attributes.overrideRedirect !== 0)
    return popupContent(wire, outermost, clients ?? []);
  const isManaged = clients !== undefined && (await isManagerAlive(wire, manager));
  const window = isManaged ? chain.find((id) => clients.includes(id)) : outermost;
  if (window === undefined || !isForPeople(await typeOf(wire, window))) return {};
  return { window, pid: await pidOf(wire, window) };
}

async function popupContent(wire: X11Wire, id: number, clients: readonly number[]): Promise<X11PointContent> {
  const [bounds, pid, transient] = await Promise.all([
    readBounds(wire, id),
    pidOf(wire, id),
    readProperty(wire, id, 'WM_TRANSIENT_FOR'),
  ]);
  if (bounds === undefined) return {};
  const transientFor = numbersOf(transient)[0] || undefined;
  // Whose it is if nothing says so: the client's that made it.
  const family = clients.find((client) => client >>> OWN_BITS === id >>> OWN_BITS);
  const teller = transientFor ?? family;
  const owner = pid ?? (teller === undefined ? undefined : await pidOf(wire, teller));
  return { pid: owner, popup: { bounds, transientFor } };
}

/** The windows at a place, outermost first, without the root. */
async function windowsAt(wire: X11Wire, { x, y }: Point): Promise<number[]> {
  const chain: number[] = [];
  if (![x, y].every((value) => Number.isInteger(value) && value >= 0 && value <= FURTHEST)) return chain;
  const screen = await readBounds(wire, wire.root);
  // Windows reach beyond the screen, the pointer does not.
  if (screen === undefined || x >= screen.width || y >= screen.height) return chain;
  let inside = wire.root;
  while (chain.length < MAX_NESTING) {
    const answer = await wire.attempt<{ readonly child: number }>((client, done) => {
      client.TranslateCoordinates(wire.root, inside, x, y, done);
    });
    if (!answer?.child) break;
    inside = answer.child;
    chain.push(inside);
  }
  return chain;
}

async function pidOf(wire: X11Wire, window: number): Promise<number | undefined> {
  return numbersOf(await readProperty(wire, window, '_NET_WM_PID'))[0];
}

async function typeOf(wire: X11Wire, window: number): Promise<string | undefined> {
  const [type] = numbersOf(await readProperty(wire, window, '_NET_WM_WINDOW_TYPE'));
  return type === undefined ? undefined : wire.atomName(type);
}
