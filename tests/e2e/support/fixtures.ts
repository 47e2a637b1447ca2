import { beforeAll } from 'vitest';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import type { Fixture, FixtureEvent, FixtureKind } from '../../../fixtures/driver.ts';
import { expectedWidgets, type ExpectedWidget } from '../../../fixtures/widgets.ts';
import type { Place } from '../harness.ts';
import { Found } from './answers.ts';
import type { Reply } from './reply.ts';

/** One fixture application and the program that reads and operates it. */
export class Bench {
  readonly place: Place;
  readonly fixture: Fixture;

  constructor(place: Place, fixture: Fixture) {
    this.place = place;
    this.fixture = fixture;
  }

  get kind(): FixtureKind {
    return this.fixture.kind;
  }

  get app(): string {
    return String(this.fixture.pid);
  }

  desk(...args: string[]): Promise<Reply> {
    return this.place.desk(args);
  }

  widget(id: string): ExpectedWidget {
    const found = expectedWidgets(this.kind).find((widget) => widget.id === id);
    if (!found) throw new Error(`no widget ${id}`);
    return found;
  }

  /** The reference of a widget, found by its role and name. */
  async ref(id: string): Promise<string> {
    const { role, name } = this.widget(id);
    return this.refOf(name, role);
  }

  async refOf(name: string, role: string): Promise<string> {
    const reply = await this.desk('find', name, '--app', this.app, '--role', role, '--exact');
    const [match, ...others] = reply.ok(Found).matches;
    if (match?.ref === undefined || others.length > 0)
      throw new Error(`not one ${role} ${JSON.stringify(name)}: ${reply.toString()}`);
    return match.ref;
  }

  async set(widget: string, property: string, value: unknown): Promise<void> {
    await this.fixture.control('set', { widget, property, value });
  }

  /** Runs `act` and returns its result with the events that the application recorded meanwhile, without those caused by the control socket. */
  async recording<T>(act: () => Promise<T>): Promise<{ result: T; events: readonly FixtureEvent[] }> {
    const before = (await this.fixture.events()).length;
    const result = await act();
    const events = (await this.fixture.events()).slice(before);
    return { result, events: events.filter((event) => event.source === undefined) };
  }

  /** Clicks a reference and returns the reply with the ids of the widgets that the application recorded as pressed. */
  async click(ref: string): Promise<{ reply: Reply; pressed: readonly string[] }> {
    const { result: reply, events } = await this.recording(() => this.desk('click', ref));
    const pressed = events.filter((event) => event.event === 'clicked').map((event) => event.widget);
    return { reply, pressed };
  }
}

/** Fixtures on one desktop, by default all four, started together. */
export function useFixtures(
  place: () => Place,
  kinds: readonly FixtureKind[] = FIXTURE_KINDS,
): (kind: FixtureKind) => Bench {
  const benches = new Map<FixtureKind, Bench>();
  beforeAll(async () => {
    const started = await Promise.all(kinds.map((kind) => place().fixture(kind)));
    for (const fixture of started) benches.set(fixture.kind, new Bench(place(), fixture));
  });
  return (kind) => {
    const bench = benches.get(kind);
    if (!bench) throw new Error(`${kind} did not start`);
    return bench;
  };
}
