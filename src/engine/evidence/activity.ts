import { handleKey } from '../../model/tree/node.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { DesktopJournal } from '../journal/desktop-journal.ts';
import { ActHistory } from './act-history.ts';
import { isSignificant, TICK_MS } from './attribution.ts';

/** Applications that are watched between acts; each makes this process work while it changes. */
const MAX_APPLICATIONS = 8;
/** Of one application. */
const MAX_ELEMENTS = 5000;
/** Of one element; one that reports more within {@link KEPT_MS} changes by itself. */
const MAX_TIMES = 32;
/** How long times are of use. */
const KEPT_MS = 3 * TICK_MS;
const START_MS = 10_000;
/** Each listener notes the time itself. */
const SAME_EVENT_MS = 10;
/** Timers are not exact, least on a busy machine. */
const LATE_SHARE = 0.25;
const LATE_MS = 60;

/** From when an act was sent until it was judged. */
export interface JudgedSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

type Parts = { readonly desktop: DesktopPort; readonly clock: ClockPort };

/** What an application reported lately, by element: who was quiet all the time before an act does not change by itself. */
export class Activity {
  /** Reports arrive since then; `undefined` if they do not. */
  private since: number | undefined;
  private readonly times = new Map<string, number[]>();
  /** Those of {@link times} at which another text was reported, or that something came or went. */
  private readonly texts = new Map<string, number[]>();
  /** When elements were found to have been changed by acts. */
  private readonly explained = new Map<string, JudgedSpan[]>();
  readonly acts = new ActHistory();
  private stop: () => void = () => undefined;
  private hasEnded = false;
  private readonly onLost: () => void;

  constructor(onLost: () => void) {
    this.onLost = onLost;
  }

  async begin({ desktop, clock }: Parts, appId: string): Promise<void> {
    const stop = await desktop.watch(
      (event) => {
        this.note(event);
        DesktopJournal.of(desktop)?.noteElement(event);
      },
      { appId, deadlineMs: START_MS },
    );
    if (this.hasEnded) stop();
    else {
      this.stop = stop;
      this.since = clock.now();
    }
  }

  /** Whether its reports arrive. */
  get isLive(): boolean {
    return this.since !== undefined;
  }

  end(): void {
    this.hasEnded = true;
    this.since = undefined;
    this.stop();
  }

  /**
   * An act is sent.
   *
   * @param act what is done to what; absent if doing the same again may have another effect
   */
  actBegan(act: string | undefined, atMs: number): void {
    this.acts.began(this.since === undefined ? undefined : act, atMs);
  }

  /** What the act causes, it causes until then. */
  actEnded(untilMs: number): void {
    this.acts.ended(untilMs);
  }

  /** These elements reported what an act changed. */
  explain(keys: Iterable<string>, span: JudgedSpan): void {
    for (const key of keys) {
      const spans = this.explained.get(key)?.filter(({ toMs }) => toMs > span.fromMs - KEPT_MS) ?? [];
      this.explained.set(key, [...spans, span]);
    }
    if (this.explained.size > MAX_ELEMENTS) this.explained.clear();
  }

  /**
   * How long an element must stay as it is, from its change on, until it is known that this was not one of a series. One that reported nothing for
   * longer than a tick has proven it already. If it changed only through earlier acts, or acts were carried out meanwhile, one of these may
   * have set it ticking, unless the same act did not do so before: then it would change again after the same time.
   *
   * @param actAt when the act was sent that may have changed it
   */
  doubtMs(key: string, changedAt: number, actAt: number): number {
    const begin = changedAt - TICK_MS;
    if (this.since === undefined || this.since > begin) return TICK_MS;
    const times = this.times.get(key) ?? [];
    if (times.length === MAX_TIMES && times.every((atMs) => atMs > begin)) return TICK_MS;
    const lately = times.filter((atMs) => atMs >= begin && atMs < changedAt - SAME_EVENT_MS);
    if (!lately.every((atMs) => this.isExplained(key, atMs))) return TICK_MS;
    // What explains a report may have begun before it by more than a tick; it, too, may have set it ticking.
    const spans = this.explained.get(key) ?? [];
    const explaining = spans.filter(({ fromMs, toMs }) =>
      lately.some((atMs) => atMs >= fromMs && atMs <= toMs),
    );
    const fromMs = Math.min(begin, ...explaining.map((span) => span.fromMs));
    const suspects = this.acts.suspects(key, { fromMs, toMs: actAt });
    if (suspects.length === 0) return 0;
    // It was quiet since the first of them, but for what acts explain.
    const began = Math.min(...suspects);
    return Math.min(TICK_MS, (changedAt - began) * (1 + LATE_SHARE) + LATE_MS);
  }

  /**
   * How long a list must stay as it is until it is known that it is not refreshed every now and then. Each time, other items may change, of which none
   * is restless itself.
   *
   * @param items keys of what is in the list
   */
  refreshDoubtMs(items: readonly string[], changedAt: number, actAt: number): number {
    let toldAt = 0;
    for (const key of items)
      for (const atMs of this.texts.get(key) ?? [])
        if (atMs > Math.max(toldAt, changedAt - KEPT_MS) && atMs < actAt && !this.isExplained(key, atMs))
          toldAt = atMs;
    return toldAt === 0 ? 0 : Math.max(TICK_MS, (changedAt - toldAt) * (1 + LATE_SHARE) + LATE_MS);
  }

  private isExplained(key: string, atMs: number): boolean {
    const spans = this.explained.get(key) ?? [];
    return spans.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs) || this.acts.explains(key, atMs);
  }

  private note(event: DesktopEvent): void {
    if (event.kind === 'desktop-lost') {
      this.end();
      this.onLost();
      return;
    }
    if (!isSignificant(event)) return;
    const key = handleKey(event.node);
    this.acts.reported(key, event.atMs);
    keep(this.times, key, event.atMs);
    if (SHOWN.has(event.kind)) keep(this.texts, key, event.atMs);
    for (const [oldest] of this.times) {
      if (this.times.size <= MAX_ELEMENTS) break;
      this.times.delete(oldest);
      this.texts.delete(oldest);
      // It must not seem to have been quiet.
      this.since = event.atMs;
    }
  }
}

/** Reports of what is shown, rather than of what is chosen or under the pointer. */
const SHOWN: ReadonlySet<DesktopEvent['kind']> = new Set<DesktopEvent['kind']>([
  'name-changed',
  'value-changed',
  'text-changed',
  'children-changed',
]);

function keep(times: Map<string, number[]>, key: string, nowMs: number): void {
  const lately = (times.get(key) ?? []).filter((atMs) => atMs > nowMs - KEPT_MS);
  times.delete(key);
  times.set(key, [...lately, nowMs].slice(-MAX_TIMES));
}

/** Of each desktop, by application, used last at the end. */
const watched = new WeakMap<DesktopPort, Map<string, Activity>>();

/** What an application reported lately. The first call begins to watch it; nothing is known then. */
export function activityOf(parts: Parts, appId: string): Activity {
  const { desktop } = parts;
  const all = watched.get(desktop) ?? new Map<string, Activity>();
  watched.set(desktop, all);
  const known = all.get(appId);
  if (known !== undefined) {
    all.delete(appId);
    all.set(appId, known);
    return known;
  }
  const forget = (): void => {
    if (all.get(appId) === made) all.delete(appId);
  };
  const made = new Activity(forget);
  all.set(appId, made);
  for (const [oldest, activity] of all) {
    if (all.size <= MAX_APPLICATIONS) break;
    activity.end();
    all.delete(oldest);
  }
  made.begin(parts, appId).catch(forget);
  return made;
}
