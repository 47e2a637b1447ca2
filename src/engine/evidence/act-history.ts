import { TICK_MS } from './attribution.ts';

/** Acts in a row, and acts that something is known about. */
const MAX_ACTS = 500;
/** Elements that an act changed, or that ticked after it. */
const MAX_ELEMENTS = 500;
const CLEAN_CHAINS = 3;

/** One act on an application. */
interface PastAct {
  /** What was done to what; absent if the same may have another effect next time. */
  readonly key: string | undefined;
  readonly fromMs: number;
  /** Until when its effects came; absent while it is being carried out. */
  toMs: number | undefined;
  /** What reported something in this time. */
  readonly changed: Set<string>;
}

/** What followed an act, whenever it was carried out. */
interface Consequences {
  readonly changed: Set<string>;
  /**
   * What reported something between and after the acts: it may have been set ticking. With the number of chains that must leave it alone until it is no
   * longer taken for that: a busy application reports effects late, and what starts and stops a clock in turn leaves it alone every other time.
   */
  readonly ticking: Map<string, number>;
}

/**
 * What the acts on one application did beyond their own effects. Acts that follow one another closely are a chain. After a chain, the application is left
 * alone for a tick: what does not report anything then was not set ticking by any of these acts.
 */
export class ActHistory {
  private chain: PastAct[] = [];
  private readonly loose = new Set<string>();
  private pending: { readonly element: string; readonly atMs: number }[] = [];
  private readonly known = new Map<string, Consequences>();
  /** Acts that showed nothing when they were watched to the end, and what reported something all the same. */
  private readonly silent = new Map<string, ReadonlySet<string>>();

  /** An act is sent. */
  began(key: string | undefined, atMs: number): void {
    if (this.chain.at(-1)?.toMs === undefined) this.endUnseen(atMs);
    const last = this.chain.at(-1);
    if (last?.toMs !== undefined && atMs >= last.toMs + TICK_MS) this.learn();
    this.chain.push({ key, fromMs: atMs, toMs: undefined, changed: new Set() });
    if (this.chain.length > MAX_ACTS) this.chain.shift();
  }

  /** Its effects come until then. */
  ended(toMs: number): void {
    const last = this.chain.at(-1);
    if (last === undefined || last.toMs !== undefined) return;
    last.toMs = toMs;
    const { pending } = this;
    this.pending = [];
    for (const { element, atMs } of pending) this.reported(element, atMs);
  }

  /** Until when its effects came is unknown: what was reported since may be ticks, of it or of acts before it. */
  private endUnseen(toMs: number): void {
    this.ended(toMs);
    this.chain = this.chain.map((act) => ({ ...act, key: undefined }));
  }

  /** An element reported a change. */
  reported(element: string, atMs: number): void {
    const last = this.chain.at(-1);
    if (last === undefined) return;
    if (last.toMs === undefined) this.pending.push({ element, atMs });
    else if (atMs <= last.toMs) last.changed.add(element);
    else if (atMs <= last.toMs + TICK_MS) this.loose.add(element);
    if (this.pending.length > MAX_ELEMENTS || this.loose.size > MAX_ELEMENTS) this.forget();
  }

  /** Nothing is known any more, such as when reports were missed. */
  forget(): void {
    this.chain = [];
    this.pending = [];
    this.loose.clear();
    this.known.clear();
    this.silent.clear();
  }

  /**
   * Whether the same act showed nothing before, and what reported something then, other than its target, has done so again. Then its handler has run, and
   * nothing else is to be expected.
   */
  reactsAsWhenSilent(): boolean {
    const current = this.chain.at(-1);
    const expected = current?.key === undefined ? undefined : this.silent.get(current.key);
    if (current === undefined || expected === undefined) return false;
    return [...expected].every((each) => current.changed.has(each));
  }

  /** What the act that was carried out last showed after it was watched to the end. */
  showed(what: 'nothing' | 'something', target: string): void {
    const current = this.chain.at(-1);
    if (current?.key === undefined) return;
    this.silent.delete(current.key);
    const reaction = besides(current.changed, target);
    if (what === 'something' || reaction.size === 0) return;
    this.silent.set(current.key, reaction);
    const [oldest] = this.silent.keys();
    if (this.silent.size > MAX_ACTS && oldest !== undefined) this.silent.delete(oldest);
  }

  /** When the acts between two times were sent that may have set an element ticking. */
  suspects(element: string, { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): number[] {
    return this.chain
      .filter((act) => act.fromMs >= fromMs && act.fromMs < toMs && !this.isHarmless(act, element))
      .map((act) => act.fromMs);
  }

  /** Whether a report of an element came with an act that changed it before, and did not set it ticking then. */
  explains(element: string, atMs: number): boolean {
    return this.chain.some(
      (act) =>
        act.key !== undefined &&
        atMs >= act.fromMs &&
        atMs <= (act.toMs ?? atMs) &&
        this.isHarmless(act, element) &&
        this.known.get(act.key)?.changed.has(element) === true,
    );
  }

  /**
   * Until when the application would have to be left alone for something to be known of the act that was sent last; nothing if it is known already, or the
   * same act may have another effect next time.
   */
  knownFrom(): number | undefined {
    const last = this.chain.at(-1);
    if (last?.key === undefined || last.toMs === undefined || this.known.has(last.key)) return undefined;
    return last.toMs + TICK_MS;
  }

  private isHarmless({ key }: PastAct, element: string): boolean {
    const known = key === undefined ? undefined : this.known.get(key);
    return known !== undefined && !known.ticking.has(element);
  }

  private learn(): void {
    for (const key of new Set(this.chain.flatMap((act) => act.key ?? []))) {
      const { changed, ticking } = this.known.get(key) ?? { changed: new Set(), ticking: new Map() };
      for (const act of this.chain)
        if (act.key === key) for (const element of act.changed) changed.add(element);
      for (const [element, left] of ticking)
        if (left > 1) ticking.set(element, left - 1);
        else ticking.delete(element);
      for (const element of this.loose) ticking.set(element, CLEAN_CHAINS);
      this.known.delete(key);
      // Nothing may be left out of what ticks.
      if (changed.size + ticking.size <= MAX_ELEMENTS) this.known.set(key, { changed, ticking });
    }
    for (const [oldest] of this.known) {
      if (this.known.size <= MAX_ACTS) break;
      this.known.delete(oldest);
    }
    this.chain = [];
    this.loose.clear();
  }
}

function besides(elements: ReadonlySet<string>, target: string): ReadonlySet<string> {
  return new Set([...elements].filter((each) => each !== target));
}
