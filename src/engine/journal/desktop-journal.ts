import type { Happening, Subject } from '../../model/journal/happening.ts';
import { shownKind } from '../../model/journal/summarise.ts';
import { isTold } from '../../model/journal/tell.ts';
import { JournalLog } from '../../model/journal/journal-log.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { shownName } from '../../model/tree/shown-name.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { ActRecord } from './act-record.ts';
import { toChange, type ElementChange } from './element-changes.ts';
import { InputNotes } from './input-notes.ts';
import { KnownElements } from './known-elements.ts';
import { WindowWatch, type Seen } from './window-watch.ts';

const START_MS = 10_000;
const MOST_CHANGED = 4000;
/** A key is reported on another connection than what it brings about, so it may be heard this much later. */
const LATE_INPUT_MS = 50;
/** Toolkits report both halves of the replacement of a text in one go. */
const REPLACING_MS = 50;
/** Names and values are kept as far as entries show them. */
const LONGEST_KEPT = 120;
/** A title and a text of a notification. */
const LONGEST_NOTICE = 200;

interface Parts {
  readonly desktop: DesktopPort;
  readonly clock: ClockPort;
}

/** The journals of all desktops; sessions on the same one share it. */
const journals = new WeakMap<DesktopPort, DesktopJournal>();

/**
 * Everything that was seen to happen on one desktop. It listens to events that arrive for the readings and acts of sessions anyway, and beside those
 * only to windows, notifications, keys and buttons; it asks applications nothing until it is read.
 */
export class DesktopJournal {
  readonly log = new JournalLog();
  readonly elements = new KnownElements();
  readonly acts = new ActRecord();
  private readonly parts: Parts;
  private windowWatch: WindowWatch | undefined;
  private beginning: Promise<void> | undefined;
  private readonly listeners = new Set<(kind: 'journal-noted' | 'desktop-lost') => void>();
  /** When elements changed last, by kind and key: what was read before that is out of date. */
  private readonly changedAt = new Map<string, number>();
  /** The text that lost characters last: if it gets others at once, that is one change. */
  private deleted: { readonly key: string; readonly atMs: number } | undefined;
  private readonly input = new InputNotes();
  private isInputWatched = false;
  private hasNotifications = false;
  private stops: (() => void)[] = [];
  private notices = 0;
  private startedAt: number | undefined;
  private readonly wallOffsetMs: number;

  private constructor(parts: Parts) {
    this.parts = parts;
    this.wallOffsetMs = Math.round(Date.now() - parts.clock.now());
  }

  /** The journal of a desktop, which begins with the first call. */
  static open(parts: Parts): DesktopJournal {
    const known = journals.get(parts.desktop) ?? new DesktopJournal(parts);
    journals.set(parts.desktop, known);
    known.begin().catch(() => undefined);
    return known;
  }

  /** The journal of a desktop, if it has one. */
  static of(desktop: DesktopPort): DesktopJournal | undefined {
    return journals.get(desktop);
  }

  /** By the program's clock; `undefined` if it does not receive events. */
  get sinceMs(): number | undefined {
    return this.startedAt;
  }

  /** The wall-clock time of a moment of the program's clock: always the same for the same moment. */
  timeOf(atMs: number): string {
    return new Date(this.wallOffsetMs + atMs).toISOString();
  }

  get nowMs(): number {
    return this.parts.clock.now();
  }

  get seesInput(): boolean {
    return this.isInputWatched;
  }

  get seesNotifications(): boolean {
    return this.hasNotifications;
  }

  window(id: string): DesktopWindow | undefined {
    return this.windowWatch?.window(id);
  }

  /** Resolves when it receives events, at once if it does. @throws DeskterityError */
  begin(): Promise<void> {
    if (this.startedAt !== undefined) return Promise.resolve();
    this.beginning ??= this.start().finally(() => {
      this.beginning = undefined;
    });
    return this.beginning;
  }

  /** Resolves when what was reported so far has been looked at. */
  async settled(): Promise<void> {
    await this.windowWatch?.settled();
  }

  /** Calls `listener` when something is noted, and when the desktop is lost, until the returned function is called. */
  onNoted(listener: (kind: 'journal-noted' | 'desktop-lost') => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** An application reported this; windows are watched for all applications at once. */
  noteElement(event: DesktopEvent): void {
    if (this.startedAt === undefined) return;
    const change = toChange(event);
    if (change !== undefined) this.noteChange(change, event.node, event.atMs);
  }

  /** A whole window was read; `atMs` is when that began. */
  learn(window: DesktopWindow, root: TreeNode, atMs: number): void {
    if (this.startedAt !== undefined) this.elements.learn(window, root, atMs);
  }

  /** A secret is written into this element: its texts are never told. */
  withhold(key: string): void {
    this.acts.withhold(key);
    this.log.amend((happening) =>
      happening.subject.key === key
        ? {
            ...happening,
            subject: { ...happening.subject, isMasked: true },
            before: undefined,
            after: undefined,
          }
        : happening,
    );
  }

  /** What is known of the element of a handle. */
  subjectOf(handle: NodeHandle): { readonly subject: Subject; readonly atMs: number | undefined } {
    const key = handleKey(handle);
    const known = this.elements.find(handle);
    const window = known?.window;
    const owner =
      window === undefined ? this.windowWatch?.appOf(handle.app) : { app: window.appName, pid: window.pid };
    const base = { key, handle, ...owner };
    if (known === undefined)
      return { subject: { ...base, isMasked: this.acts.isWithheld(key) }, atMs: undefined };
    const { role, name } = known.owner ?? known.node;
    const { states } = known.node;
    const isMasked = states.includes('protected') || this.acts.isWithheld(key);
    return {
      subject: {
        ...base,
        role,
        name: clip(shownName({ role, name }), LONGEST_KEPT),
        isEditable: known.isEditable ?? states.includes('editable'),
        isMasked,
        windowId: window?.id,
        windowTitle: window?.title,
      },
      atMs: known.atMs,
    };
  }

  /** The value of an element that an entry of this kind may show. */
  valueOf(handle: NodeHandle, kind: Happening['kind'], subject: Subject): string | undefined {
    const known = this.elements.find(handle);
    const shown = shownKind({ kind, subject });
    if (known === undefined || !isTold({ kind: shown, subject })) return undefined;
    const { node, owner } = known;
    const text = shown === 'value_changed' && owner === undefined ? node.value : node.name;
    return text === undefined ? undefined : clip(text, LONGEST_KEPT);
  }

  private async start(): Promise<void> {
    const { desktop, clock } = this.parts;
    const call = { deadlineMs: START_MS };
    const windowWatch = new WindowWatch(this.parts, (seen) => this.add(seen));
    const stop = await desktop.watch((event) => this.onEvent(event, windowWatch), {
      ...call,
      windowsOnly: true,
    });
    this.stops = [stop, () => windowWatch.end()];
    this.windowWatch = windowWatch;
    this.startedAt = clock.now();
    // What cannot be watched is said in each answer.
    await Promise.allSettled([windowWatch.begin(), this.watchInput(), this.watchNotifications()]);
  }

  private end(): void {
    for (const stop of this.stops.splice(0)) stop();
    this.startedAt = undefined;
    this.windowWatch = undefined;
    this.isInputWatched = false;
    this.hasNotifications = false;
    this.tellListeners('desktop-lost');
  }

  private async watchInput(): Promise<void> {
    const { desktop, clock } = this.parts;
    const stop = await desktop.input.watchUser?.(
      (who) => {
        if (who === 'lost') this.isInputWatched = false;
        else {
          const atMs = clock.now();
          this.log.noteInput(this.input.add(who, atMs), atMs - LATE_INPUT_MS);
        }
      },
      { deadlineMs: START_MS },
    );
    this.isInputWatched = this.keep(stop);
  }

  private async watchNotifications(): Promise<void> {
    const stop = await this.parts.desktop.watchNotifications(
      {
        notified: ({ app, summary, body }) =>
          this.add({
            kind: 'notification_appeared',
            subject: { key: `notification ${++this.notices}`, name: clip(summary, LONGEST_NOTICE), app },
            fromMs: this.parts.clock.now(),
            detail: clip(body, LONGEST_NOTICE),
          }),
        lost: () => {
          this.hasNotifications = false;
        },
      },
      { deadlineMs: START_MS },
    );
    this.hasNotifications = this.keep(stop);
  }

  /** Whether something is watched now; the desktop may have been lost before that began. */
  private keep(stop: (() => void) | undefined): boolean {
    const isLive = this.startedAt !== undefined;
    if (stop !== undefined && isLive) this.stops.push(stop);
    else stop?.();
    return stop !== undefined && isLive;
  }

  private onEvent(event: DesktopEvent, windowWatch: WindowWatch): void {
    if (event.kind === 'desktop-lost') this.end();
    else windowWatch.note(event);
  }

  private noteChange({ kind, detail, edit }: ElementChange, handle: NodeHandle, atMs: number): void {
    const key = handleKey(handle);
    const isSecondHalf = edit === 'insert' && this.isDeletedJustNow(key, atMs);
    if (edit === 'delete') this.deleted = { key, atMs };
    else if (edit === 'insert') this.deleted = undefined;
    const input = this.input.before(atMs);
    const bare = {
      kind,
      detail,
      subject: { key },
      fromMs: atMs,
      toMs: atMs,
      count: 1,
      input,
      isInputWatched: this.isInputWatched,
    };
    const changedBefore = this.changedAt.get(`${kind} ${key}`);
    this.noteChangedAt(`${kind} ${key}`, atMs);
    if (this.log.continues(bare) !== undefined) this.log.add({ ...bare, count: isSecondHalf ? 0 : 1 });
    else {
      const { subject, atMs: knownAtMs } = this.subjectOf(handle);
      const isCurrent = knownAtMs !== undefined && knownAtMs > (changedBefore ?? Number.NEGATIVE_INFINITY);
      const before = isCurrent ? this.valueOf(handle, kind, subject) : undefined;
      this.log.add({ ...bare, subject, before, knownAtMs });
    }
    this.tellListeners();
  }

  private isDeletedJustNow(key: string, atMs: number): boolean {
    return this.deleted?.key === key && atMs - this.deleted.atMs <= REPLACING_MS;
  }

  private noteChangedAt(key: string, atMs: number): void {
    this.changedAt.delete(key);
    this.changedAt.set(key, atMs);
    for (const [oldest] of this.changedAt) {
      if (this.changedAt.size <= MOST_CHANGED) break;
      this.changedAt.delete(oldest);
    }
  }

  private add(seen: Seen & Pick<Happening, 'detail'>): void {
    this.log.add({
      ...seen,
      toMs: seen.fromMs,
      count: 1,
      input: this.input.before(seen.fromMs),
      isInputWatched: this.isInputWatched,
    });
    this.tellListeners();
  }

  private tellListeners(kind: 'journal-noted' | 'desktop-lost' = 'journal-noted'): void {
    for (const listener of this.listeners) listener(kind);
  }
}
