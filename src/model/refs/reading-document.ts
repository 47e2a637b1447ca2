import { z } from 'zod';
import { clip } from '../text/untrusted-text.ts';
import { handleKey, type NodeHandle } from '../tree/node.ts';
import { ROLES } from '../tree/role.ts';
import { STATES } from '../tree/state.ts';
import { withoutTexts, type ReadNode, type RememberedWindow, type StoredReading } from './reading.ts';

/** How many readings of one window, and of all windows of a session, are stored. */
const PER_WINDOW = 4;
const PER_SESSION = 8;
/** Longest text of one reading and of all, in characters; a larger window is not stored. */
const LONGEST_READING = 256_000;
const LONGEST_TOTAL = 768_000;
/** Cursors whose window is still stored after their reading was dropped. */
const MAX_ENTRIES = 60;

const LONGEST_TITLE = 120;
/** Elements whose texts are withheld; the first marked are dropped first. */
const MAX_WITHHELD = 500;
/** The windows of an application with more than this are not compared. */
const MAX_WINDOWS = 100;

/** Id, other id or nothing, title. */
const Window = z.tuple([z.string(), z.string(), z.string()]);

const Entry = z.object({
  cursor: z.int().positive(),
  window: z.string(),
  other_window: z.string().optional(),
  pid: z.int().optional(),
  whole_tree: z.boolean(),
  root: z.string().optional(),
  complete: z.boolean(),
  shown: z.literal(true).optional(),
  windows: z.array(Window).max(MAX_WINDOWS).optional(),
  /** {@link encode}d; stored as one text so that unused readings need no parsing. Empty if dropped, or stored under `same_as`. */
  nodes: z.string().max(LONGEST_READING),
  /** The cursor of a later reading of the same window that found the same. */
  same_as: z.int().positive().optional(),
});
type Entry = z.output<typeof Entry>;

const ReadingDocument = z.object({ desktop_id: z.string(), readings: z.array(z.unknown()) });
type ReadingDocument = { desktop_id: string; readings: Entry[]; withheld?: string[] };

/** Parsed separately: invalid readings must not reveal withheld texts. */
const Withheld = z.object({ desktop_id: z.string(), withheld: z.array(z.string()) });

/** Keys of the elements of one desktop whose texts must not be stored. */
export function withheldIn(data: unknown, desktopId: string): ReadonlySet<string> {
  const document = Withheld.safeParse(data);
  return new Set(document.success && document.data.desktop_id === desktopId ? document.data.withheld : []);
}

function documentOf(desktopId: string, readings: Entry[], withheld: ReadonlySet<string>): ReadingDocument {
  const marks = withheld.size === 0 ? {} : { withheld: [...withheld].slice(-MAX_WITHHELD) };
  return { desktop_id: desktopId, readings, ...marks };
}

/** The document without any text of an element, even earlier ones or, unless `isWithheld`, storing its texts again from now on. */
export function markWithheld(
  data: unknown,
  desktopId: string,
  handle: NodeHandle,
  isWithheld: boolean,
): ReadingDocument {
  const key = handleKey(handle);
  const marks = [...withheldIn(data, desktopId)].filter((known) => known !== key);
  const withheld = new Set(isWithheld ? [...marks, key] : marks);
  const entries = entriesOf(data, desktopId).map((entry) => {
    const tree = isWithheld ? decode(entry.nodes) : undefined;
    return tree === undefined ? entry : { ...entry, nodes: encode(withoutTexts(tree, withheld)) };
  });
  return documentOf(desktopId, entries, withheld);
}

/** The readings of one desktop in a stored document, oldest first; invalid ones and those of another desktop are dropped. */
function entriesOf(data: unknown, desktopId: string): Entry[] {
  const document = ReadingDocument.safeParse(data);
  if (!document.success || document.data.desktop_id !== desktopId) return [];
  return document.data.readings.flatMap((raw) => {
    const entry = Entry.safeParse(raw);
    return entry.success ? [entry.data] : [];
  });
}

/** The nodes of a reading, which may be stored with a later one; each of these is later than the one before. */
function nodesOf(entry: Entry, entries: readonly Entry[]): string {
  return holdersOf(entry.cursor, entries).at(-1)?.nodes ?? '';
}

/** The reading at a cursor, and those with which it is stored; the last one has the nodes. */
function holdersOf(cursor: number | undefined, entries: readonly Entry[]): readonly Entry[] {
  const entry = entries.findLast((candidate) => candidate.cursor === cursor);
  if (entry === undefined) return [];
  const { same_as: later } = entry;
  return later === undefined || later <= entry.cursor ? [entry] : [entry, ...holdersOf(later, entries)];
}

/** The stored reading at a cursor. */
export function findReading(data: unknown, desktopId: string, cursor: number): StoredReading | undefined {
  const entries = entriesOf(data, desktopId);
  const entry = entries.findLast((candidate) => candidate.cursor === cursor);
  if (!entry) return undefined;
  const withheld = withheldIn(data, desktopId);
  return {
    cursor: entry.cursor,
    window: { id: entry.window, otherId: entry.other_window },
    pid: entry.pid,
    wholeTree: entry.whole_tree,
    root: entry.root,
    complete: entry.complete,
    ...(entry.windows === undefined ? {} : { windows: entry.windows.map(toWindow) }),
    tree: decode(nodesOf(entry, entries)),
    ...(withheld.size === 0 ? {} : { withheld }),
  };
}

/** The cursor of the last stored reading of a whole window whose tree was the answer. */
export function lastShownIn(
  data: unknown,
  desktopId: string,
  isWindow: (window: StoredReading['window'] & Pick<StoredReading, 'pid'>) => boolean,
): number | undefined {
  const entries = entriesOf(data, desktopId);
  const shown = entries.filter(
    (entry) =>
      entry.shown === true &&
      entry.root === undefined &&
      !entry.whole_tree &&
      nodesOf(entry, entries) !== '' &&
      isWindow({ id: entry.window, otherId: entry.other_window, pid: entry.pid }),
  );
  return shown.reduce<number | undefined>((last, { cursor }) => Math.max(last ?? 0, cursor), undefined);
}

/**
 * The document with one more reading; the oldest are dropped. The reading at `used`, which was just compared with, counts as new, so that
 * repeated comparisons with one cursor do not drop it.
 */
export function addReading(
  data: unknown,
  desktopId: string,
  reading: StoredReading,
  used?: number,
): ReadingDocument {
  const withheld = withheldIn(data, desktopId);
  const nodes = reading.tree === undefined ? '' : encode(withoutTexts(reading.tree, withheld));
  const known = entriesOf(data, desktopId);
  const prolonged = new Set(holdersOf(used, known));
  const entries: Entry[] = [
    ...[
      ...known.filter((entry) => !prolonged.has(entry)),
      ...known.filter((entry) => prolonged.has(entry)),
    ].map((entry) =>
      entry.nodes !== '' && entry.nodes === nodes && entry.window === reading.window.id
        ? { ...entry, nodes: '', same_as: reading.cursor }
        : entry,
    ),
    {
      cursor: reading.cursor,
      window: reading.window.id,
      ...(reading.window.otherId === undefined ? {} : { other_window: reading.window.otherId }),
      ...(reading.pid === undefined ? {} : { pid: reading.pid }),
      whole_tree: reading.wholeTree,
      ...(reading.root === undefined ? {} : { root: reading.root }),
      complete: reading.complete,
      ...(reading.shown === true ? { shown: true } : {}),
      ...(reading.windows === undefined || reading.windows.length > MAX_WINDOWS
        ? {}
        : {
            windows: reading.windows.map(({ id, otherId = '', title }): [string, string, string] => [
              id,
              otherId,
              clip(title, LONGEST_TITLE),
            ]),
          }),
      nodes: nodes.length > LONGEST_READING ? '' : nodes,
    },
  ];
  return documentOf(desktopId, dropOld(entries.slice(-MAX_ENTRIES)), withheld);
}

function toWindow([id, otherId, title]: z.output<typeof Window>): RememberedWindow {
  return { id, ...(otherId === '' ? {} : { otherId }), title };
}

function dropOld(entries: readonly Entry[]): Entry[] {
  const perWindow = new Map<string, number>();
  let kept = 0;
  let length = 0;
  return entries
    .toReversed()
    .map((entry) => {
      if (entry.nodes === '') return entry;
      const own = perWindow.get(entry.window) ?? 0;
      if (own >= PER_WINDOW || kept >= PER_SESSION || length + entry.nodes.length > LONGEST_TOTAL)
        return { ...entry, windows: undefined, nodes: '' };
      perWindow.set(entry.window, own + 1);
      kept += 1;
      length += entry.nodes.length;
      return entry;
    })
    .toReversed();
}

/** Deeper trees are dropped because comparing them is recursive. */
const DEEPEST = 1000;

/** Depth, object (its path after the common beginning, or application and path), role, name, ref, states, value, digest; empty ones at the end are left out. */
const Line = z.tuple([
  z.int().nonnegative().max(DEEPEST),
  z.union([z.string(), z.tuple([z.string(), z.string()])]),
  z.enum(ROLES),
  z.string().optional(),
  z.union([z.literal(''), z.string().regex(/^@e[1-9]\d{0,8}$/)]).optional(),
  z.array(z.enum(STATES)).optional(),
  z.string().optional(),
  z.string().max(40).optional(),
]);
type Line = z.output<typeof Line>;

const Nodes = z.object({ app: z.string(), beginning: z.string(), lines: z.array(Line).min(1) });

/** Of readings that may be stored again. */
const encoded = new WeakMap<ReadNode, string>();

function encode(root: ReadNode): string {
  const known = encoded.get(root) ?? encodeAnew(root);
  encoded.set(root, known);
  return known;
}

function encodeAnew(root: ReadNode): string {
  const { app, path } = root.handle;
  const beginning = path.slice(0, path.lastIndexOf('/') + 1);
  const lines: unknown[][] = [];
  const visit = ({ handle, role, name, value, states, ref, digest, children }: ReadNode, depth: number) => {
    const isNear = handle.app === app && handle.path.startsWith(beginning);
    const place: Line[1] = isNear ? handle.path.slice(beginning.length) : [handle.app, handle.path];
    const line: Line = [depth, place, role, name, ref ?? '', [...states], value, digest ?? ''];
    lines.push(line.slice(0, line.findLastIndex((field) => typeof field === 'number' || field?.length) + 1));
    for (const child of children) visit(child, depth + 1);
  };
  visit(root, 0);
  return JSON.stringify({ app, beginning, lines });
}

interface Growing extends ReadNode {
  readonly children: Growing[];
}

/** The tree in a text of {@link encode}; `undefined` if it is empty or invalid. */
function decode(text: string): ReadNode | undefined {
  if (text === '') return undefined;
  const nodes = Nodes.safeParse(parseJson(text));
  if (!nodes.success) return undefined;
  const { app, beginning, lines } = nodes.data;
  const open: Growing[] = [];
  for (const [index, line] of lines.entries()) {
    const [depth, place, role, name = '', ref = '', states = [], value = '', digest = ''] = line;
    // One root, and no child without its parent.
    if (index === 0 ? depth !== 0 : depth < 1 || depth > open.length) return undefined;
    const node: Growing = {
      handle:
        typeof place === 'string' ? { app, path: `${beginning}${place}` } : { app: place[0], path: place[1] },
      role,
      name,
      value,
      states,
      ...(ref === '' ? {} : { ref }),
      ...(digest === '' ? {} : { digest }),
      children: [],
    };
    open[depth - 1]?.children.push(node);
    open.splice(depth, open.length, node);
  }
  return open[0];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
