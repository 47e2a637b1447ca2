import { afterAll, beforeAll } from 'vitest';
import {
  startOrdinary,
  type Ordinary,
  type OrdinaryEvent,
  type OrdinaryKind,
} from '../../../fixtures/ordinary/driver.ts';
import type { Place } from '../harness.ts';
import { Found } from './answers.ts';
import type { Reply } from './reply.ts';

/** One ordinary application and the program that operates it. */
export class OrdinaryBench {
  private readonly place: Place;
  private readonly app: Ordinary;

  constructor(place: Place, app: Ordinary) {
    this.place = place;
    this.app = app;
  }

  get pid(): string {
    return String(this.app.pid);
  }

  desk(...args: string[]): Promise<Reply> {
    return this.place.desk(args);
  }

  async find(name: string, role: string, ...more: string[]) {
    const reply = await this.desk('find', name, '--app', this.pid, '--role', role, '--exact', ...more);
    return reply.ok(Found).matches;
  }

  async ref(name: string, role: string, ...more: string[]): Promise<string> {
    const [match, ...others] = await this.find(name, role, ...more);
    if (match?.ref === undefined || others.length > 0)
      throw new Error(`not one ${role} ${JSON.stringify(name)}: ${JSON.stringify([match, ...others])}`);
    return match.ref;
  }

  /** Runs a command and returns the reply with what the application was told of the widget. */
  async perform(
    widget: string,
    ...args: string[]
  ): Promise<{ reply: Reply; told: readonly OrdinaryEvent[] }> {
    const before = (await this.app.events()).length;
    const reply = await this.desk(...args);
    const told = (await this.app.events()).slice(before).filter((event) => event.widget === widget);
    return { reply, told };
  }
}

/** An ordinary application for all tests of the calling file. */
export function useOrdinary(place: () => Place, kind: OrdinaryKind): () => OrdinaryBench {
  let bench: OrdinaryBench | undefined;
  let app: Ordinary | undefined;
  beforeAll(async () => {
    app = await startOrdinary(kind, place().desktop.environment);
    await place().untilReadable(app.pid);
    bench = new OrdinaryBench(place(), app);
  });
  afterAll(() => app?.stop());
  return () => {
    if (bench === undefined) throw new Error(`${kind} did not start`);
    return bench;
  };
}
