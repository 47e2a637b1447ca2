import { z } from 'zod';
import { isRecord } from '../is-record.ts';
import { ROLES } from '../tree/role.ts';

/** One step from a window to an element. */
const TrailStep = z.object({ role: z.enum(ROLES), name: z.string() });
export type TrailStep = z.output<typeof TrailStep>;

/** What is stored of an element so that its ref always names it, and nothing else. */
export const ElementRecord = z.object({
  ref: z.string().regex(/^@e\d+$/),
  app: z.string(),
  path: z.string(),
  role: z.enum(ROLES),
  name: z.string(),
  window: z.string(),
  /** Ancestors, outermost first. */
  trail: z.array(TrailStep),
  /** The nearest named elements before and after it, which distinguish it from similar elements elsewhere. */
  neighbours: z.array(z.string()),
  /** Where it is drawn, from the corner of its window; only of what is no item. */
  place: z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() }).optional(),
  /** The nearest expanded row above it, if the rows of a tree are not nested: other branches may have the same names. */
  open_above: z.string().optional(),
  /** See `TreeNode.slot`. */
  slot: z.object({ container: z.string(), index: z.int(), count: z.int() }).optional(),
  /** The sides on which nothing else like it in its container, all of which was read, has the same neighbours. */
  alone: z.array(z.enum(['above', 'below'])).optional(),
  /** Id of the terminal on whose screen it is. */
  terminal: z.string().optional(),
  /** Another element had the same role, name and trail: if this one disappears, they cannot be distinguished. */
  has_twin: z.boolean(),
});
export type ElementRecord = z.output<typeof ElementRecord>;

const WindowRecord = z.object({ ref: z.string().regex(/^@w\d+$/), id: z.string() });

const TerminalRecord = z.object({
  ref: z.string().regex(/^@t\d+$/),
  id: z.string(),
  /** The cursors of its last readings. */
  cursors: z.array(z.int()).default([]),
});

/** The stored form of a session's refs. */
const RefDocument = z.object({
  desktop_id: z.string(),
  next_element: z.int().positive(),
  next_window: z.int().positive(),
  /** Absent in documents of versions without terminals. */
  next_terminal: z.int().positive().default(1),
  cursor: z.int().nonnegative(),
  elements: z.array(ElementRecord),
  windows: z.array(WindowRecord),
  terminals: z.array(TerminalRecord).default([]),
});
export type RefDocument = z.output<typeof RefDocument>;

/** The valid parts of a damaged document. */
const Remains = z.object({
  desktop_id: z.string().catch(''),
  next_element: z.int().positive().catch(1),
  next_window: z.int().positive().catch(1),
  next_terminal: z.int().positive().catch(1),
  cursor: z.int().nonnegative().catch(0),
  elements: z.array(z.unknown()).catch([]),
  windows: z.array(z.unknown()).catch([]),
  terminals: z.array(z.unknown()).catch([]),
});

/**
 * Reads a stored document. From a damaged or older one, valid records are used, and numbers continue above every ref in it: a number must never
 * be reused for another element.
 */
export function readRefDocument(data: unknown): RefDocument {
  const known = typeof data === 'object' && data !== null ? knownDocuments.get(data) : undefined;
  if (known) return known;
  const parsed = RefDocument.safeParse(data);
  return parsed.success ? parsed.data : salvage(Remains.parse(isRecord(data) ? data : {}));
}

/** Documents that this process made: a store may return them as they are. */
const knownDocuments = new WeakMap<object, RefDocument>();

/** Notes that nobody changes a document, so that it need not be checked when it is read again. */
export function madeRefDocument(document: RefDocument): RefDocument {
  knownDocuments.set(document, document);
  return document;
}

function salvage(remains: z.output<typeof Remains>): RefDocument {
  return {
    ...remains,
    next_element: Math.max(remains.next_element, nextAfter(remains.elements)),
    next_window: Math.max(remains.next_window, nextAfter(remains.windows)),
    next_terminal: Math.max(remains.next_terminal, nextAfter(remains.terminals)),
    elements: validOf(ElementRecord, remains.elements),
    windows: validOf(WindowRecord, remains.windows),
    terminals: validOf(TerminalRecord, remains.terminals),
  };
}

const Numbered = z.object({ ref: z.string().regex(/^@[ewt]\d{1,9}$/) });

function nextAfter(records: readonly unknown[]): number {
  return validOf(Numbered, records).reduce((next, { ref }) => Math.max(next, Number(ref.slice(2)) + 1), 1);
}

function validOf<T>(schema: z.ZodType<T>, records: readonly unknown[]): T[] {
  return records.flatMap((record) => {
    const parsed = schema.safeParse(record);
    return parsed.success ? [parsed.data] : [];
  });
}

const MOST_REMEMBERED = 100;

const Seen = z.object({ locator: z.string(), element: ElementRecord.omit({ ref: true }) });
type Seen = z.output<typeof Seen>;

/** The stored form of the last matches of locators; newest last. */
const LocatorDocument = z.object({ desktop_id: z.string(), seen: z.array(Seen) });

function readSeen(data: unknown, desktopId: string): readonly Seen[] {
  const parsed = LocatorDocument.safeParse(data);
  return parsed.success && parsed.data.desktop_id === desktopId ? parsed.data.seen : [];
}

/** The last match of a locator on this desktop. */
export function findSeen(data: unknown, desktopId: string, locator: string): Seen['element'] | undefined {
  return readSeen(data, desktopId).find((seen) => seen.locator === locator)?.element;
}

/** The document with the current match of a locator; the least recently used are dropped. */
export function addSeen(data: unknown, desktopId: string, seen: Seen): z.output<typeof LocatorDocument> {
  const others = readSeen(data, desktopId).filter(({ locator }) => locator !== seen.locator);
  return { desktop_id: desktopId, seen: [...others, seen].slice(-MOST_REMEMBERED) };
}
