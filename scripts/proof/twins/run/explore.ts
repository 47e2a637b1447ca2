import { actName, actsOn, actsThrough, type Act } from '../act/act.ts';
import { keyText, type Widget, type WidgetKey } from '../act/widgets.ts';

/** Acts at one place before the next place has its turn. */
const ROUND = 10;
/** Widgets of one role at one place that are tried: a list of a hundred rows teaches no more than some of them. */
const MOST_OF_A_ROLE = 14;
/** Clicks away from the start. */
const DEEPEST = 2;
interface Place {
  readonly steps: readonly WidgetKey[];
  readonly pending: Act[];
}

/**
 * Chooses what to try next: every usable widget of every place that clicks lead to, in an order that depends on the seed alone and on what
 * the twin showed. Replaying what was learned leads to the same choice.
 */
export class Explorer {
  private readonly random: () => number;
  private readonly places: Place[] = [];
  private readonly known = new Set<string>();
  private readonly names = new Set<string>();
  private readonly counts = new Map<string, number>();
  private place = 0;
  private inRound = 0;
  /** Widgets seen at any place. */
  readonly seen = new Set<string>();

  constructor(random: () => number) {
    this.random = random;
  }

  /** Registers what is shown at a place. */
  learnPlace(steps: readonly WidgetKey[], widgets: readonly Widget[]): void {
    const name = widgets.map(({ key }) => keyText(key)).join('\n');
    if (widgets.length === 0 || this.known.has(name)) return;
    this.known.add(name);
    for (const { key } of widgets) this.seen.add(keyText(key));
    const acts = this.shuffle(
      fewOfEachRole(this.shuffle([...widgets])).flatMap((widget) => actsOn(widget, steps)),
    );
    this.places.push({ steps, pending: acts.filter((act) => this.isNew(act)) });
  }

  /** Registers what an act showed on the twin. */
  learn(act: Act, shown: readonly Widget[]): void {
    if (shown.length === 0 || act.kind !== 'click') return;
    const through = actsThrough(act, shown).filter((one) => this.isNew(one));
    const place = this.places.find(({ steps }) => samePath(steps, through[0]?.steps ?? []));
    place?.pending.unshift(...this.shuffle(through));
    if (act.steps.length < DEEPEST) this.learnPlace([...act.steps, act.target.key], shown);
  }

  /** The next act; none if everything was tried. */
  next(): Act | undefined {
    if (this.inRound >= ROUND) this.turn();
    for (let tries = 0; tries <= this.places.length; tries++) {
      const act = this.rarest(this.places[this.place]?.pending ?? []);
      if (act !== undefined) {
        this.counts.set(sortOf(act), (this.counts.get(sortOf(act)) ?? 0) + 1);
        this.inRound += 1;
        return act;
      }
      this.turn();
    }
    return undefined;
  }

  /** Takes the first of the acts of whose sort the fewest were tried: otherwise menus would leave no time for anything else. */
  private rarest(pending: Act[]): Act | undefined {
    const count = (act: Act): number => this.counts.get(sortOf(act)) ?? 0;
    const fewest = Math.min(...pending.map(count));
    const found = pending.findIndex((act) => count(act) === fewest);
    return found === -1 ? undefined : pending.splice(found, 1)[0];
  }

  private turn(): void {
    this.inRound = 0;
    this.place = this.places.length === 0 ? 0 : (this.place + 1) % this.places.length;
  }

  private isNew(act: Act): boolean {
    const name = actName(act);
    if (this.names.has(name)) return false;
    this.names.add(name);
    return true;
  }

  private shuffle<Item>(items: Item[]): Item[] {
    const rest = [...items];
    const shuffled: Item[] = [];
    while (rest.length > 0) shuffled.push(...rest.splice(Math.floor(this.random() * rest.length), 1));
    return shuffled;
  }
}

function sortOf({ kind, target }: Act): string {
  return `${kind} ${target.key.role}`;
}

function fewOfEachRole(widgets: Widget[]): Widget[] {
  const counts = new Map<string, number>();
  return widgets.filter(({ key: { role } }) => {
    const count = (counts.get(role) ?? 0) + 1;
    counts.set(role, count);
    return count <= MOST_OF_A_ROLE;
  });
}

function samePath(one: readonly WidgetKey[], other: readonly WidgetKey[]): boolean {
  return one.map(keyText).join('\n') === other.map(keyText).join('\n');
}
