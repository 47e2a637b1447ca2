import { actName, actsOn, actsThrough, escapeFrom, pressesIn, type Act } from '../act/act.ts';
import { findWidget, keyOf, keyText, usableWidgets, type Widget, type WidgetKey } from '../act/widgets.ts';
import { isBrowserOpen } from '../look/browsers.ts';
import { placed, type Seen } from '../look/tree.ts';

/** Acts of one kind on widgets of one role in one window: a list of a hundred rows teaches no more than some of them. */
const MOST_OF_A_SORT = 14;
/** How often one click is repeated only to get to where it leads. */
const MOST_REPEATED = 4;
/** Submenus are closed one by one. */
const MOST_ESCAPES = 3;
/** Tooltips are lower. */
const SMALLEST_MENU = 50;
/** What few widgets offer is tried first, as often as this, and then as often in each turn. */
const RARE: ReadonlyMap<string, number> = new Map([
  ['expand', 10],
  ['set-value', 5],
  ['type', 8],
]);
const ASKING = new Set(['alert', 'dialog', 'file chooser']);

/** What to do next. `isNew`: an act to be judged; otherwise a click that was judged before and leads to other widgets. */
export interface Choice {
  readonly act: Act;
  readonly isNew: boolean;
}

/**
 * Chooses what to try next among what the screen shows, in an order that depends on the seed, on what was tried and on what was seen: first the
 * sort of act that was tried least often.
 */
export class Explorer {
  private readonly random: () => number;
  private readonly toolkit: string;
  private readonly tried = new Set<string>();
  private readonly ofSort = new Map<string, number>();
  private readonly ofWindow = new Map<string, number>();
  /** Items of menus and options of combo boxes, which commands reach while these are closed. */
  private readonly through: Act[] = [];
  /** How often Escape was pressed since the last new act. */
  private escapes = 0;
  private readonly leads = new Map<string, { readonly act: Act; uses: number }>();

  /** @param toolkit of the application that is explored, with or without its version */
  constructor(random: () => number, toolkit = '') {
    this.random = random;
    this.toolkit = toolkit;
  }

  /** Registers an act that was tried, and what it showed on the twin. */
  learn(act: Act, shown: readonly Widget[]): void {
    this.count(act);
    this.escapes = 0;
    if (shown.length === 0 || act.kind !== 'click') return;
    this.leads.set(actName(act), { act, uses: 0 });
    this.through.push(...actsThrough(act, shown));
  }

  /**
   * The next act; none if nothing that shows is new or leads to anything.
   * @param canPress both sides have the focus at the same place, so that keys do the same
   */
  choose(seen: Seen, canPress = true): Choice | undefined {
    if (isBrowserOpen(seen, this.toolkit)) return undefined;
    const widgets = inFront(seen);
    if (isMenuUnread(seen, widgets)) return this.escape(seen);
    const fresh = [
      ...widgets.flatMap((widget) => actsOn(widget)),
      ...(canPress ? pressesIn(seen, widgets) : []),
      ...this.through.filter(({ target }) => isShown(seen, widgets, target)),
    ].filter((act) => !this.tried.has(actName(act)) && this.countIn(act) < MOST_OF_A_SORT);
    const rare = fresh.filter((one) => RARE.has(one.kind) && this.turnOf(one) === 0);
    const first = rare.length > 0 ? rare : fresh;
    const least = Math.min(...first.map((act) => this.turnOf(act)));
    const act = this.oneOf(first.filter((one) => this.turnOf(one) === least));
    if (act !== undefined) return { act, isNew: true };
    const lead = this.lead(widgets);
    if (lead !== undefined) return { act: lead, isNew: false };
    return widgets.some(({ layer }) => layer === 'popup') ? this.escape(seen) : undefined;
  }

  /** A menu in which nothing is left to try is closed: to start an application anew takes longer than some acts. */
  private escape(seen: Seen): Choice | undefined {
    if (this.escapes >= MOST_ESCAPES) return undefined;
    this.escapes += 1;
    const act = escapeFrom(seen);
    return act && { act, isNew: false };
  }

  private lead(widgets: readonly Widget[]): Act | undefined {
    const shown = new Set(widgets.map(({ key }) => keyText(key)));
    const usable = [...this.leads.values()].filter(
      ({ act, uses }) => uses < MOST_REPEATED && shown.has(keyText(act.target.key)),
    );
    const least = Math.min(...usable.map(({ uses }) => uses));
    const found = this.oneOf(usable.filter(({ uses }) => uses === least));
    if (found === undefined) return undefined;
    found.uses += 1;
    return found.act;
  }

  private oneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  private count(act: Act): void {
    this.tried.add(actName(act));
    this.ofSort.set(sortOf(act), this.countOf(act) + 1);
    this.ofWindow.set(sortInWindow(act), this.countIn(act) + 1);
  }

  private countOf(act: Act): number {
    return this.ofSort.get(sortOf(act)) ?? 0;
  }

  private turnOf(act: Act): number {
    return Math.floor(this.countOf(act) / (RARE.get(act.kind) ?? 1));
  }

  private countIn(act: Act): number {
    return this.ofWindow.get(sortInWindow(act)) ?? 0;
  }
}

/** The widgets that a person would turn to: those of open menus, else those of a dialog, else all. */
function inFront(seen: Seen): readonly Widget[] {
  const widgets = usableWidgets(seen).filter(({ unreachable }) => unreachable === undefined);
  const [popup, asking] = [widgets.filter((one) => one.layer === 'popup'), askingPlaces(seen)];
  if (popup.length > 0) return popup;
  const asked = widgets.filter(({ key }) => asking.some((path) => isBelow(key, path)));
  return asked.length > 0 ? asked : widgets;
}

/** A menu that the accessibility tree does not have takes the next click, whatever it is aimed at. */
function isMenuUnread({ applications, windows }: Seen, widgets: readonly Widget[]): boolean {
  const own = new Set(applications.map(({ pid }) => pid));
  const isMenu = ({ managed, pid, box: [, , width, height] }: Seen['windows'][number]): boolean =>
    !managed && own.has(pid) && width >= SMALLEST_MENU && height >= SMALLEST_MENU;
  return windows.some(isMenu) && !widgets.some(({ layer }) => layer === 'popup');
}

/** Dialogs, and what else is modal, such as popovers inside a window. */
function askingPlaces(seen: Seen): WidgetKey[] {
  return [...placed(seen)]
    .filter(
      ({ node, above }) => node.states.includes('modal') || (above.length === 0 && ASKING.has(node.role)),
    )
    .map(keyOf);
}

function isBelow(key: WidgetKey, above: WidgetKey): boolean {
  return key.application === above.application && above.path.every((step, depth) => key.path[depth] === step);
}

/** Menus are reached from their bar: not while one of them is open. */
function isShown(seen: Seen, widgets: readonly Widget[], target: Widget): boolean {
  return (
    !widgets.some(({ layer }) => layer === 'popup') &&
    findWidget(seen, target.key) !== undefined &&
    widgets.some(({ key }) => keyText(key) === keyText(target.key))
  );
}

function sortOf({ kind, target }: Act): string {
  return `${kind} ${target.key.role}`;
}

function sortInWindow(act: Act): string {
  const { application, path } = act.target.key;
  return `${sortOf(act)} ${application} ${path[0]}`;
}
