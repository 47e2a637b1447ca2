import type { NodeHandle } from '../tree/node.ts';
import type { Role } from '../tree/role.ts';
import type { JournalKind } from './entry.ts';

/** A stretch of keyboard or button input that no session sent. */
export interface InputNote {
  /** `unknown` if another program of ours may have sent it. */
  who: 'user' | 'unknown';
  lastMs: number;
}

/** What is known of the element, window, process or notification that something happened to. */
export interface Subject {
  /** Tells it from all others: the key of an element, or `window ID`, `process PID`, `notification N`. */
  readonly key: string;
  readonly handle?: NodeHandle | undefined;
  readonly role?: Role | undefined;
  /** Of an element, window, application or notification. */
  readonly name?: string | undefined;
  /** Text can be typed into it. */
  readonly isEditable?: boolean | undefined;
  /** Its texts must not be told: a password field, or one that a secret was written into. */
  readonly isMasked?: boolean | undefined;
  readonly windowId?: string | undefined;
  readonly windowTitle?: string | undefined;
  readonly app?: string | undefined;
  readonly pid?: number | undefined;
  /** Identifies the process of a window permanently: ids of windows and processes are reused. */
  readonly process?: string | undefined;
}

/** Something that happened, as it was seen. Times are those of the program's clock. */
export interface Happening {
  readonly kind: JournalKind;
  readonly subject: Subject;
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
  /** Numbers events in the order in which they were seen; that of the last one. */
  readonly position: number;
  readonly before?: string | undefined;
  /** When `before` was read. */
  readonly knownAtMs?: number | undefined;
  readonly after?: string | undefined;
  /** The state that changed, such as `checked=1`; the body of a notification. */
  readonly detail?: string | undefined;
  /** Input just before it; absent if there was none. */
  readonly input?: InputNote | undefined;
  /** The display reported input at that time. */
  readonly isInputWatched: boolean;
}

/** The name of the state that changed. */
export function stateIn({ kind, detail }: Pick<Happening, 'kind' | 'detail'>): string | undefined {
  return kind === 'state_changed' ? detail?.split('=', 1)[0] : undefined;
}

export const windowSubject = (id: string): string => `window ${id}`;
export const processSubject = (pid: number): string => `process ${pid}`;

/** Two that follow each other, told as one. */
export function joined(first: Happening, next: Happening): Happening {
  const { before, fromMs } = first;
  return {
    ...next,
    subject: { ...first.subject, ...withoutAbsent(next.subject) },
    fromMs: Math.min(fromMs, next.fromMs),
    toMs: Math.max(first.toMs, next.toMs),
    position: Math.max(first.position, next.position),
    // A state that is reported again as it already is has not changed again.
    count: isSameState(first, next) ? first.count : first.count + next.count,
    before,
    after: next.after,
  };
}

function isSameState(first: Happening, next: Happening): boolean {
  return first.kind === 'state_changed' && first.detail !== undefined && first.detail === next.detail;
}

function withoutAbsent(subject: Subject): Subject {
  const known = Object.entries(subject).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), key: subject.key };
}
