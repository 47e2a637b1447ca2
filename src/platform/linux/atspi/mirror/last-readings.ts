import type { TreeResult } from '../../../../ports/desktop/elements.ts';
import { askAgain, ReadingLog, type Asker, type Known } from './asked.ts';
import { EarlyAnswers } from './early-answers.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';
import type { Mirror } from './mirror.ts';
import type { ReadPlan, ToBounds } from '../tree/read-plan.ts';

/** Of one application: its window as usual, another one, and one of them whole. */
const MAX_READINGS = 3;
/** For each answer, the bus daemon goes through all that are awaited: more at once would cost more than they save. */
const MOST_THROUGH_DAEMON = 1000;
/** Two boxes that tell mappings of places to pixels apart. */
const SAMPLES = [
  { x: 0, y: 0, width: 100, height: 100 },
  { x: 1000, y: 700, width: 40, height: 30 },
] as const;

interface LastReading extends Pick<ReadingLog, 'counted'> {
  /** What has to be asked each time. */
  readonly asked: ReadingLog['asked'];
  /** The version of the mirror that the result rests on. */
  readonly version: number;
  /** As long as there is memory for it; absent if it rests on more than what is noted here. */
  readonly result: WeakRef<TreeResult> | undefined;
  readonly toBounds: ToBounds;
}

const readingsOf = new WeakMap<Mirror, Map<string, LastReading>>();

/**
 * One reading that rests on a mirror, and the last one like it. That one tells what will be asked, so that all of it can be asked at once instead of level by
 * level. If the mirror is unchanged and every answer is the same, so is the tree: what it is made of is what the mirror knows and these answers.
 */
export class RepeatedReading {
  readonly log = new ReadingLog(new EarlyAnswers());
  readonly #mirror: Mirror;
  readonly #used: Known;
  readonly #key: string;
  readonly #last: LastReading | undefined;
  readonly #version: number;
  /** Another reading may have found other places since. */
  readonly #hasOldPlaces: boolean;

  /** @param kind of the toolkit, which an application may tell late */
  constructor(
    { mirror, used }: { readonly mirror: Mirror; readonly used: Known },
    kind: ToolkitKind,
    plan: ReadPlan,
    path: string,
  ) {
    this.#mirror = mirror;
    this.#used = used;
    this.#hasOldPlaces = plan.knownPlaces === true;
    this.#key = `${kind} ${keyOf(plan, path)}`;
    this.#last = readingsOf.get(mirror)?.get(this.#key);
    this.#version = mirror.version;
  }

  /** Asks what the last reading asked; its answers are used by this one. */
  askAgain(batch: Asker['batch'], isThroughDaemon = false): void {
    const last = this.#last;
    if (last === undefined || (isThroughDaemon && last.asked.length > MOST_THROUGH_DAEMON)) return;
    const asker = { batch, mirror: this.#mirror, known: this.#used, early: this.log.early };
    askAgain(last, asker, this.#isSameVersion);
  }

  /** The result of the last reading, if this one would have the same. */
  again(toBounds: ToBounds): TreeResult | undefined {
    const last = this.#last;
    const result = last?.result?.deref();
    if (!last || !result || !this.#isSameVersion || this.#mirror.version !== last.version) return undefined;
    if (!isSameMapping(last.toBounds, toBounds)) return undefined;
    const now = { early: this.log.early, known: this.#used };
    if (!last.asked.every((each) => each.isUnchanged(now))) return undefined;
    this.#remember(last);
    return result;
  }

  /** Keeps what this reading asked and found; `isWhole` if it did nothing that is not noted in its log. */
  keep(result: TreeResult, toBounds: ToBounds, isWhole: boolean): void {
    const { asked, counted, isComplete } = this.log;
    const { version } = this.#mirror;
    const isSettled =
      version === this.#version && isComplete && isWhole && result.complete && !this.#hasOldPlaces;
    this.#remember({
      // What is kept now need not be asked again until an event.
      asked: asked.filter((each) => !each.isKept(this.#mirror)),
      counted,
      version,
      result: isSettled ? new WeakRef(result) : undefined,
      toBounds,
    });
  }

  /** As the one that was used last. */
  #remember(reading: LastReading): void {
    const readings = readingsOf.get(this.#mirror) ?? new Map<string, LastReading>();
    readingsOf.set(this.#mirror, readings);
    readings.delete(this.#key);
    readings.set(this.#key, reading);
    const [oldest] = readings.keys();
    if (readings.size > MAX_READINGS && oldest !== undefined) readings.delete(oldest);
  }

  get #isSameVersion(): boolean {
    return this.#last?.version === this.#version;
  }
}

function keyOf(plan: ReadPlan, path: string): string {
  const { root, wholeTree, maxDepth, maxNodes, includeActions, includeIdentifiers } = plan;
  const { shownPlacesOnly, knownPlaces } = plan;
  const { windowCoordinates, rootPath } = plan.frame;
  const places = [shownPlacesOnly, knownPlaces, windowCoordinates];
  const shape = [wholeTree, includeActions, includeIdentifiers, ...places];
  return JSON.stringify([root.path, path, rootPath, maxDepth, maxNodes, plan.startsAtMenu, ...shape]);
}

function isSameMapping(one: ToBounds, other: ToBounds): boolean {
  return one === other || SAMPLES.every((box) => JSON.stringify(one(box)) === JSON.stringify(other(box)));
}
