import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startFixture, type Fixture, type FixtureEvent } from '../../../fixtures/driver.ts';
import type { Role } from '../../../src/model/tree/role.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { Desktop } from '../../../src/surfaces/library/index.ts';
import { stageOf, type Stage, type StageKind } from '../stage.ts';
import type { Hands } from './hands.ts';
import { swayHands } from './sway-hands.ts';
import { isBrowser, startSubject, widgetOf, type Subject, type Toolkit } from './toolkits.ts';
import { untold } from './told-astray.ts';
import { causedByUsers, judge, settleAnswer, type Attempt, type Judged } from './verdict.ts';
import { x11Hands } from './x11-hands.ts';

export const DEADLINE = { deadlineMs: 15_000 };
const START_MS = 30_000;
/** Qt runs a handler 100 ms after the request. */
const LATE_MS = 200;

export const WidgetState = z.object({
  text: z.string().nullish(),
  value: z.unknown().optional(),
  checked: z.unknown().optional(),
  focused: z.boolean().optional(),
});
const WindowState = z.object({
  window: z.object({
    width: z.number(),
    height: z.number(),
    minimized: z.boolean().optional(),
    active: z.boolean().optional(),
  }),
});

/** One fixture with a second one of another toolkit over it, an engine, and independent reads of the display. */
export class Bench {
  readonly stage: Stage<Subject>;
  readonly cover: Fixture;
  readonly hands: Hands;
  private readonly refs = new Map<string, string>();
  private other: Promise<Desktop> | undefined;

  private constructor(stage: Stage<Subject>, cover: Fixture, hands: Hands) {
    this.stage = stage;
    this.cover = cover;
    this.hands = hands;
  }

  static async open(kind: Toolkit, display: StageKind): Promise<Bench> {
    const stage = await stageOf((environment) => startSubject(kind, environment), display);
    const cover = await startFixture(kind === 'gtk3' ? 'qt6' : 'gtk3', {
      environment: stage.place.environment,
      deadlineMs: START_MS,
      title: 'Cover',
    });
    const { environment } = stage.place;
    const hands = display === 'wayland' ? swayHands(environment) : x11Hands(environment);
    const bench = new Bench(stage, cover, hands);
    await hands.find(bench.title);
    await bench.activate('Cover');
    return bench;
  }

  async close(): Promise<void> {
    await (await this.other)?.close();
    await this.cover.stop();
    await this.stage.end();
  }

  /** Another program that works the same desktop. */
  library(): Promise<Desktop> {
    this.other ??= Desktop.open({ environment: this.stage.place.environment });
    return this.other;
  }

  get kind(): Toolkit {
    return this.stage.fixture.kind;
  }

  get engine(): Engine {
    return this.stage.engine;
  }

  get fixture(): Subject {
    return this.stage.fixture;
  }

  /** Of its window, as it was first. */
  get title(): string {
    return this.fixture.title;
  }

  get app(): string {
    return String(this.fixture.pid);
  }

  control(op: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.fixture.control(op, fields);
  }

  async set(widget: string, property: string, value: unknown): Promise<void> {
    await this.control('set', { widget, property, value });
  }

  async get(widget: string): Promise<z.output<typeof WidgetState>> {
    return WidgetState.parse(await this.control('get', { widget }));
  }

  async windowState(): Promise<z.output<typeof WindowState>['window']> {
    return WindowState.parse(await this.control('state')).window;
  }

  /** Alternately the widget's reference and a locator for it. */
  async target(widget: string, turn: number): Promise<string> {
    if (turn % 2 === 0) return this.ref(widget);
    const { role, name } = this.widget(widget);
    return this.isNamedByValue(widget) ? `app:${this.app} >> role:${role}` : this.locator(role, name);
  }

  locator(role: Role, name: string): string {
    return `app:${this.app} >> role:${role}[name=${JSON.stringify(name)}]`;
  }

  /** A reference, found once: it must stay valid. */
  async ref(widget: string): Promise<string> {
    const known = this.refs.get(widget);
    if (known !== undefined) return known;
    const { role, name } = this.widget(widget);
    const ref = this.isNamedByValue(widget) ? await this.onlyOfRole(role) : await this.refOf(name, role);
    this.refs.set(widget, ref);
    return ref;
  }

  async refOf(name: string, role: Role): Promise<string> {
    const { matches } = await this.engine.find({
      ...DEADLINE,
      app: this.app,
      query: name,
      by: 'exact',
      role,
      limit: 5,
      wholeTree: false,
    });
    const [match] = matches;
    if (match?.ref === undefined) throw new Error(`no ${role} ${JSON.stringify(name)} in ${this.kind}`);
    return match.ref;
  }

  /** The first visible element of a role; lists have no name in some toolkits. */
  async onlyOfRole(role: Role): Promise<string> {
    const { matches } = await this.engine.find({
      ...DEADLINE,
      app: this.app,
      by: 'auto',
      role,
      limit: 5,
      wholeTree: false,
    });
    const ref = matches[0]?.ref;
    if (ref === undefined) throw new Error(`no ${role} in ${this.kind}`);
    return ref;
  }

  /** The widget, or all of them, may have been replaced: new references are needed. */
  forget(widget?: string): void {
    if (widget === undefined) this.refs.clear();
    else this.refs.delete(widget);
  }

  widget(id: string): { readonly role: Role; readonly name: string } {
    return widgetOf(this.kind, id);
  }

  /** A browser makes new objects for a page, or a part of it, that was not to be worked for a while. */
  forgetIfBrowser(): void {
    if (isBrowser(this.kind)) this.forget();
  }

  /** Combo boxes of Swing have no name of their own. */
  private isNamedByValue(id: string): boolean {
    return this.kind === 'swing' && id === 'colour';
  }

  /** Carries out one attempt and reads the result from the applications and the display. */
  async attempt(attempt: Attempt): Promise<Judged> {
    const before = (await this.fixture.events()).length;
    const coverBefore = (await this.cover.events()).length;
    const looked = attempt.isBackground ? await this.hands.whatTheUserHas() : '';
    const answer = await settleAnswer(attempt.act);
    await sleep(LATE_MS);
    // The application handles this after everything it still has to do.
    await this.control('get', { widget: 'progress' });
    const events = causedByUsers((await this.fixture.events()).slice(before));
    const elsewhere = causedByUsers((await this.cover.events()).slice(coverBefore));
    const own = new Set(attempt.mayTell());
    const isOwn = (event: FixtureEvent): boolean =>
      own.has(event.widget) && attempt.isStranger?.(event) !== true;
    const beside = [
      ...events.filter((event) => !isOwn(event)).map((event) => ({ event, isElsewhere: false })),
      ...elsewhere.map((event) => ({ event, isElsewhere: true })),
    ];
    const { typed } = attempt;
    const strangers = untold(beside, { own: events.filter(isOwn), answer, typed }).map(
      ({ event: { event, widget, value }, isElsewhere }) =>
        `${event} ${widget} ${JSON.stringify(value)}${isElsewhere ? ' of the other application' : ''}`,
    );
    return judge({
      answer,
      happened: await attempt.happened(events),
      strangers,
      isHindered: attempt.isHindered ?? false,
      isVain: attempt.isVain ?? false,
      isDisturbed: attempt.isBackground === true && (await this.hands.whatTheUserHas()) !== looked,
    });
  }

  /** Whether the application still runs: some toolkits crash under races. */
  isAlive(): boolean {
    try {
      return process.kill(this.fixture.pid, 0);
    } catch {
      return false;
    }
  }

  isShown(): Promise<boolean> {
    return this.hands.isShown(this.title);
  }

  activate(title: string): Promise<void> {
    return this.hands.activate(title);
  }
}
