import type { JournalKind, JournalSource } from './entry.ts';
import { processSubject, windowSubject, type Happening } from './happening.ts';

/** When a session carried out an act. */
export interface ActNote {
  readonly session: string;
  readonly command: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What an act was found to have changed. */
export interface Explained {
  readonly fromMs: number;
  readonly toMs: number;
  /** Keys of subjects. */
  readonly keys: ReadonlySet<string>;
  /** What such an act can bring about; anything if absent. */
  readonly reach?: ActReach | undefined;
  /** Its element was found to hold the text that the act was asked to write. */
  readonly wrote?: { readonly keys: ReadonlySet<string>; readonly untilMs: number } | undefined;
}

/** What an act of its sort can bring about. What else happens to the same elements at that time is not its doing, such as the first key that somebody presses after it. */
export interface ActReach {
  readonly kinds: ReadonlySet<JournalKind>;
  /** Subjects whose text it leaves alone if keys can be typed into them: all, or these. */
  readonly leavesTyped: 'all' | ReadonlySet<string>;
}

export interface KnownActs {
  readonly acts: readonly ActNote[];
  readonly explained: readonly Explained[];
}

export interface Attributed {
  readonly happening: Happening;
  readonly by: JournalSource;
  readonly command?: string | undefined;
}

/** Events are noted a little after they were sent, and clocks are read one after the other. */
const BEFORE_MS = 50;
/** How late the consequences of an act come that its receipt has told. */
const AFTER_MS = 250;
/** How long after an act something may still be its late consequence, so that nobody else can be made responsible. */
const DOUBT_MS = 1000;
/** A program opens its first window, and ends after its last one has closed, within this time. */
const SAME_CAUSE_MS = 10_000;

/**
 * Who brought each of these about. An act counts only for what its receipt found that it had changed; whatever else happened while it was carried out is
 * `unknown`, unless its subject does the same at other times, too.
 */
export function attribute(
  happenings: readonly Happening[],
  known: KnownActs,
  session: string,
): readonly Attributed[] {
  const acts = known.acts.filter((act) => !known.acts.some((inner) => isInside(inner, act)));
  const sources = happenings.map((happening) => sourceOf(happening, { ...known, acts }, session));
  const restless = new Set(
    sources.flatMap(({ by, happening }) => (by === 'application' ? [sortOf(happening)] : [])),
  );
  const settled = sources.map((source): Attributed =>
    source.by === 'unknown' && source.happening.isInputWatched && isRestless(source, restless)
      ? { happening: source.happening, by: 'application' }
      : source,
  );
  return settled.map((source) => withCause(source, settled));
}

function sourceOf(happening: Happening, { acts, explained }: KnownActs, session: string): Attributed {
  const { fromMs, subject, input, isInputWatched } = happening;
  const explanation = explained.find(
    ({ keys, reach, fromMs: begin, toMs: end }) =>
      keys.has(subject.key) &&
      (reach === undefined || isWithin(reach, happening)) &&
      fromMs >= begin - BEFORE_MS &&
      fromMs <= end + AFTER_MS,
  );
  if (explanation !== undefined) {
    // What the user types during an act, or as soon as it has ended, changes the same elements.
    if (input !== undefined && mayBeTyped(happening, explanation)) return { happening, by: 'unknown' };
    const act = acts.find(
      ({ fromMs: begin, toMs: end }) =>
        explanation.fromMs >= begin - BEFORE_MS && explanation.fromMs <= end + BEFORE_MS,
    );
    if (act === undefined) return { happening, by: 'unknown' };
    const by = act.session === session ? 'own' : 'other_session';
    return { happening, by, command: act.command };
  }
  const isInDoubt = acts.some(
    ({ fromMs: begin, toMs: end }) => fromMs >= begin - BEFORE_MS && fromMs <= end + DOUBT_MS,
  );
  if (isInDoubt || !isInputWatched) return { happening, by: 'unknown' };
  if (input === undefined) return { happening, by: 'application' };
  return { happening, by: input.who };
}

const TEXTS: ReadonlySet<JournalKind> = new Set(['text_changed', 'value_changed', 'name_changed']);

/** What is not known of an element counts as if it could be typed into. */
function isWithin({ kinds, leavesTyped }: ActReach, { kind, subject }: Happening): boolean {
  if (!kinds.has(kind)) return false;
  const isLeft = leavesTyped === 'all' || leavesTyped.has(subject.key);
  return !isLeft || !TEXTS.has(kind) || subject.isEditable === false;
}

/** Whether keys may have brought it about that were seen just before it. */
function mayBeTyped({ kind, subject, fromMs, toMs }: Happening, { toMs: end, wrote }: Explained): boolean {
  if (fromMs > end) return true;
  if (!TEXTS.has(kind) || subject.isEditable === false) return false;
  return wrote === undefined || !wrote.keys.has(subject.key) || toMs > wrote.untilMs;
}

const CAUSES: Readonly<Partial<Record<JournalKind, JournalKind>>> = {
  window_opened: 'app_started',
  app_exited: 'window_closed',
};

/** A program that was started opens its window, and one whose last window was closed ends. */
function withCause(source: Attributed, all: readonly Attributed[]): Attributed {
  const { happening, by } = source;
  const { kind, subject, fromMs } = happening;
  if (by === 'own' || by === 'other_session' || subject.pid === undefined) return source;
  const causeKind = CAUSES[kind];
  if (causeKind === undefined) return source;
  const cause = all.find(
    (other) =>
      other.happening.kind === causeKind &&
      other.happening.subject.pid === subject.pid &&
      Math.abs(fromMs - other.happening.fromMs) <= SAME_CAUSE_MS,
  );
  return cause === undefined ? source : { happening, by: cause.by, command: cause.command };
}

function isInside(inner: ActNote, outer: ActNote): boolean {
  return (
    inner !== outer &&
    inner.session === outer.session &&
    inner.fromMs >= outer.fromMs &&
    inner.toMs <= outer.toMs &&
    inner.toMs - inner.fromMs < outer.toMs - outer.fromMs
  );
}

function isRestless({ happening }: Attributed, restless: ReadonlySet<string>): boolean {
  return restless.has(sortOf(happening));
}

function sortOf({ kind, subject }: Happening): string {
  return `${kind} ${subject.key}`;
}

/** The keys of windows, by all their ids, and of processes. */
export function subjectKeys(
  windows: readonly { readonly id: string; readonly otherId?: string | undefined }[],
  pids: readonly number[] = [],
): readonly string[] {
  const ids = windows.flatMap(({ id, otherId }) => (otherId === undefined ? [id] : [id, otherId]));
  return [...ids.map((id) => windowSubject(id)), ...pids.map((pid) => processSubject(pid))];
}
