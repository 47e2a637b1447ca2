import { joined, stateIn, type Happening, type InputNote } from './happening.ts';

/** Bursts of the same change are one, so these are hours of ordinary use. */
export const MOST_KEPT = 2000;
/** Dropped at once, so that this is seldom done. */
const DROPPED_AT_ONCE = 200;

/** What happened on one desktop, oldest first and bounded. Changes of the same kind to the same subject are one until {@link split}. */
export class JournalLog {
  private kept: Happening[] = [];
  /** Those that may still grow, by kind and subject: their place in `kept`. */
  private readonly growing = new Map<string, number>();
  private last = 0;
  private droppedPosition = 0;
  private droppedAtMs: number | undefined;
  private readonly most: number;

  constructor(most = MOST_KEPT) {
    this.most = most;
  }

  /** The number of the last event. */
  get position(): number {
    return this.last;
  }

  get size(): number {
    return this.kept.length;
  }

  /** Whether it would continue one that is kept, so that nothing else need be found out about it. */
  continues(happening: Omit<Happening, 'position'>): Happening | undefined {
    const { input, isInputWatched } = happening;
    const known = this.kept[this.growing.get(growthKey(happening)) ?? -1];
    return known?.input === input && known?.isInputWatched === isInputWatched ? known : undefined;
  }

  add(happening: Omit<Happening, 'position'>): void {
    const next: Happening = { ...happening, position: ++this.last };
    const key = growthKey(next);
    const index = this.growing.get(key);
    const known = this.continues(happening);
    if (known !== undefined && index !== undefined) {
      this.kept[index] = joined(known, next);
      return;
    }
    this.growing.set(key, this.kept.length);
    this.kept.push(next);
    if (this.kept.length > this.most) this.drop();
  }

  /** Later events begin new entries: a reader has been given those so far. */
  split(): void {
    this.growing.clear();
  }

  /** Input was heard that may have come before what happened since a moment. */
  noteInput(input: InputNote, sinceMs: number): void {
    for (let index = this.kept.length - 1; index >= 0; index--) {
      const happening = this.kept[index];
      if (happening === undefined || happening.toMs < sinceMs) break;
      if (happening.input === undefined && happening.fromMs >= sinceMs)
        this.kept[index] = { ...happening, input };
    }
  }

  /** Everything kept after a position, as it was seen. */
  since(position: number): readonly Happening[] {
    return this.kept.filter((happening) => happening.position > position);
  }

  /** When the last one happened of those after a position that are no longer kept. */
  droppedSince(position: number): number | undefined {
    return position < this.droppedPosition ? this.droppedAtMs : undefined;
  }

  /** Replaces those that a function changes. */
  amend(change: (happening: Happening) => Happening): void {
    this.kept = this.kept.map((happening) => change(happening));
  }

  /** The oldest of the program that fills it most, so that none can displace what others did. */
  private drop(): void {
    const counts = new Map<string, number>();
    for (const happening of this.kept) {
      const owner = ownerOf(happening);
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    const [largest] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    const gone = this.kept.filter((happening) => ownerOf(happening) === largest).slice(0, DROPPED_AT_ONCE);
    const dropped = new Set(gone);
    this.kept = this.kept.filter((happening) => !dropped.has(happening));
    this.growing.clear();
    this.droppedPosition = Math.max(this.droppedPosition, ...gone.map(({ position }) => position));
    this.droppedAtMs = Math.max(this.droppedAtMs ?? 0, ...gone.map(({ toMs }) => toMs));
  }
}

function growthKey(happening: Omit<Happening, 'position'>): string {
  const { kind, subject } = happening;
  // A window of another program may have the id of one that was closed.
  return [kind, stateIn(happening) ?? '', subject.key, subject.process ?? ''].join(' ');
}

function ownerOf({ subject }: Happening): string {
  return subject.handle?.app ?? String(subject.pid ?? subject.app ?? '');
}
