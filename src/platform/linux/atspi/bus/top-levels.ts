import type { Role } from '../../../../model/tree/role.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { CallTemplate } from '../../dbus/index.ts';
import type { Application } from './application.ts';
import { NULL_PATH, ROOT_PATH } from '../tree/names.ts';
import { mapRole } from '../tree/roles.ts';
import { hasState, STATE, type StateBits } from '../tree/states.ts';
import type { Extents } from '../tree/object-facts.ts';

/** A window as reported by its application. */
export interface TopLevel {
  readonly application: Application;
  readonly path: string;
  readonly title: string;
  readonly nativeRole: number;
  readonly isDialog: boolean;
  readonly states: StateBits;
  /** Screen coordinates in logical pixels, including the frame if the toolkit counts it. */
  readonly extents: Extents | undefined;
}

type Described = {
  -readonly [Key in 'path' | 'title' | 'nativeRole' | 'states' | 'extents']: TopLevel[Key];
};

const DIALOGS: ReadonlySet<Role> = new Set<Role>(['dialog', 'alert', 'alertdialog']);

/** An application that lists more windows than this is broken or hostile. */
const MAX_TOP_LEVELS = 200;

/**
 * The windows that an application shows; hidden ones (unopened dialogs, tooltips) are omitted. `undefined` if it did not
 * reply, which differs from showing none.
 */
export async function readTopLevels(
  application: Application,
  options: CallOptions,
): Promise<TopLevel[] | undefined> {
  const { connection, templates } = application.daemonChannel;
  const children = await connection.invoke(templates.children, ROOT_PATH, options).catch(() => undefined);
  if (!children) return undefined;
  const own = children
    .slice(0, MAX_TOP_LEVELS)
    .filter(({ path, bus }) => path !== NULL_PATH && (bus === '' || bus === application.bus));
  const paths = own.map(({ path }) => path);
  return describeTopLevels(application, paths, options);
}

/** Reads objects of an application as if they were windows, in one round trip; hidden ones are omitted. */
export async function describeTopLevels(
  application: Application,
  paths: readonly string[],
  options: CallOptions,
): Promise<TopLevel[] | undefined> {
  const { connection, templates } = application.daemonChannel;
  const boxes = boxesOf(application);
  const batch = connection.batch(options);
  const found = paths.map((path) => {
    const entry: Described = { path, title: '', nativeRole: 0, states: [0, 0], extents: undefined };
    batch.request(templates.name, path, (_error, name) => (entry.title = name ?? ''));
    batch.request(templates.role, path, (_error, role) => (entry.nativeRole = role ?? 0));
    batch.request(templates.state, path, (_error, states) => (entry.states = states ?? entry.states));
    batch.request(boxes, path, (_error, extents) => (entry.extents = extents));
    return entry;
  });
  const { timedOut, cancelled } = await batch.settled;
  if (timedOut || cancelled) return undefined;
  return found
    .filter((entry) => isShown(entry.states, application))
    .map((entry) => ({
      ...entry,
      application,
      isDialog: DIALOGS.has(mapRole(entry.nativeRole, entry.states, true)),
    }));
}

/** The current extents of one window; `undefined` if it is gone or does not report them. */
export async function readTopLevelExtents(
  application: Application,
  path: string,
  options: CallOptions,
): Promise<Extents | undefined> {
  const { connection } = application.daemonChannel;
  return connection.invoke(boxesOf(application), path, options).catch(() => undefined);
}

/** No window draws more parts side by side. */
const MAX_PARTS = 40;

/** Where the content of a window begins inside it: the least distance of its children; `undefined` if none reports a place. */
export async function readInset(
  application: Application,
  path: string,
  options: CallOptions,
): Promise<{ readonly x: number; readonly y: number } | undefined> {
  const { frame, parts } = await readParts(application, path, options);
  return frame && insetOf(frame, parts);
}

/** The box around the content of a window, in its own coordinates; `undefined` if no part of it reports a place. */
export async function readContentBox(
  application: Application,
  path: string,
  options: CallOptions,
): Promise<Extents | undefined> {
  const { frame, parts } = await readParts(application, path, options);
  const inset = frame && insetOf(frame, parts);
  if (frame === undefined || inset === undefined) return undefined;
  const shown = shownIn(frame, parts);
  return {
    ...inset,
    width: Math.max(...shown.map(({ x, width }) => x + width)) - frame.x - inset.x,
    height: Math.max(...shown.map(({ y, height }) => y + height)) - frame.y - inset.y,
  };
}

async function readParts(
  application: Application,
  path: string,
  options: CallOptions,
): Promise<{ readonly frame: Extents | undefined; readonly parts: readonly (Extents | undefined)[] }> {
  const { connection, templates } = application.daemonChannel;
  const boxes = boxesOf(application);
  const [frame, children] = await Promise.all([
    connection.invoke(boxes, path, options).catch(() => undefined),
    connection.invoke(templates.children, path, options).catch(() => []),
  ]);
  const parts = await Promise.all(
    children
      .slice(0, MAX_PARTS)
      .map((child) => connection.invoke(boxes, child.path, options).catch(() => undefined)),
  );
  return { frame, parts };
}

export function insetOf(
  frame: Extents,
  parts: readonly (Extents | undefined)[],
): { readonly x: number; readonly y: number } | undefined {
  const shown = shownIn(frame, parts);
  if (shown.length === 0) return undefined;
  return {
    x: Math.min(...shown.map(({ x }) => x)) - frame.x,
    y: Math.min(...shown.map(({ y }) => y)) - frame.y,
  };
}

/** Parts that are not shown have no place: GTK 3 puts them far outside of their window. */
function shownIn(frame: Extents, parts: readonly (Extents | undefined)[]): readonly Extents[] {
  return parts.flatMap((part) =>
    part && part.width > 0 && part.height > 0 && part.x >= frame.x && part.y >= frame.y ? [part] : [],
  );
}

/** GTK 4 always returns window coordinates, and warns on stderr when screen coordinates are requested. */
function boxesOf({ traits, daemonChannel: { templates } }: Application): CallTemplate<Extents> {
  return traits.kind === 'gtk4' ? templates.windowExtents : templates.screenExtents;
}

/** By their states, GTK 4 dialogs are visible but never showing. */
function isShown(states: StateBits, { traits }: Application): boolean {
  return (
    hasState(states, STATE.SHOWING) ||
    hasState(states, STATE.ICONIFIED) ||
    (!traits.showingIsTruthful && hasState(states, STATE.VISIBLE))
  );
}
