import type { DisplayWindowEvent } from '../../display.ts';
import { numbersOf, readProperty } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import { PROPERTY_CHANGE, STRUCTURE_NOTIFY } from '../x11-library.ts';
import { windowIdOf } from './window-id.ts';

/** STRUCTURE_NOTIFY is for {@link Redirection}, which needs it on the same windows: the last selection replaces earlier ones. */
const EVENTS = PROPERTY_CHANGE | STRUCTURE_NOTIFY;
const CHANGES = ['WM_NAME', '_NET_WM_NAME', '_NET_WM_STATE'] as const;

/**
 * Reports when windows open, close, become active or change title or state, from properties set by the window manager and
 * by the windows. Without a window manager there are no events. Resolves when the subscription is active; no later change
 * is missed.
 */
export async function watchWindows(
  wire: X11Wire,
  listener: (event: DisplayWindowEvent) => void,
): Promise<() => void> {
  const list = wire.atom('_NET_CLIENT_LIST');
  const active = wire.atom('_NET_ACTIVE_WINDOW');
  let known = new Set<number>();
  let activeId: number | undefined;
  let isStopped = false;
  let turn: Promise<void> = Promise.resolve();

  const read = async (property: '_NET_CLIENT_LIST' | '_NET_ACTIVE_WINDOW'): Promise<number[]> =>
    numbersOf(await readProperty(wire, wire.root, property));
  const readActive = async (): Promise<number | undefined> =>
    (await read('_NET_ACTIVE_WINDOW')).find((id) => id !== 0);
  const report = (kind: DisplayWindowEvent['kind'], id: number | undefined): void => {
    if (!isStopped) listener({ kind, id: id === undefined ? undefined : windowIdOf(id) });
  };
  const changes = new Set<number>(CHANGES.map((name) => wire.atom(name)));
  const follow = (id: number): void => {
    // Refused if it is already gone.
    void wire.tryCall('ChangeWindowAttributes', id, { eventMask: EVENTS }).catch(() => undefined);
  };
  const compareList = async (): Promise<void> => {
    const now = new Set(await read('_NET_CLIENT_LIST'));
    const before = known;
    known = now;
    for (const id of now) {
      if (before.has(id)) continue;
      follow(id);
      report('window-opened', id);
    }
    for (const id of before) if (!now.has(id)) report('window-closed', id);
  };
  const compareActive = async (): Promise<void> => {
    const now = await readActive();
    if (now === activeId) return;
    activeId = now;
    report('active-changed', now);
  };
  // One at a time, so that consecutive changes are reported once each and in order; a lost connection is reported elsewhere.
  const enqueue = (work: () => Promise<void>): void => {
    turn = turn.then(work).catch(() => undefined);
  };

  await wire.call('ChangeWindowAttributes', wire.root, { eventMask: PROPERTY_CHANGE });
  [known, activeId] = await Promise.all([read('_NET_CLIENT_LIST').then((ids) => new Set(ids)), readActive()]);
  const stop = wire.onEvent((event) => {
    const { name, wid, atom } = event;
    if (name !== 'PropertyNotify' || wid === undefined || atom === undefined) return;
    if (wid !== wire.root) {
      if (known.has(wid) && changes.has(atom)) report('window-changed', wid);
    } else if (atom === list) enqueue(compareList);
    else if (atom === active) enqueue(compareActive);
  });
  for (const id of known) follow(id);
  enqueue(compareList);
  enqueue(compareActive);
  return () => {
    isStopped = true;
    stop();
  };
}
