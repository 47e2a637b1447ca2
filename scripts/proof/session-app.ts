import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fixtureCommand, type FixtureKind } from '../../fixtures/driver.ts';
import type { World } from '../../tests/e2e/support/kill-world.ts';
import type { Reply } from '../../tests/e2e/support/reply.ts';

const Launched = z.looseObject({ pid: z.int() });
const Event = z.looseObject({ widget: z.string(), event: z.string(), value: z.unknown() });
export type AppEvent = z.infer<typeof Event>;

let started = 0;

/** A fixture application that was started by `desk launch` in a session, and its own record of what happened to it. */
export class SessionApp {
  readonly kind: FixtureKind;
  readonly pid: number;
  private readonly log: string;

  private constructor(kind: FixtureKind, pid: number, log: string) {
    this.kind = kind;
    this.pid = pid;
    this.log = log;
  }

  /** @throws Error with the answer if it does not start */
  static async start(world: World, session: string, kind: FixtureKind): Promise<SessionApp> {
    const number = (started += 1);
    const log = join(world.folder, 'h', `${number}.jsonl`);
    const control = join(world.folder, 'h', `c${number}`);
    const [program, args] = await fixtureCommand(kind);
    const own = [...args, '--log', log, '--control', control, '--title', `Number ${number}`];
    const launch = ['launch', program, '--wait', '--timeout', '30000', '--session', session, '--', ...own];
    const reply = await world.desk(...launch);
    return new SessionApp(kind, launchedPid(reply), log);
  }

  locator(widget: string): string {
    return `app:${this.pid} >> ${widget}`;
  }

  /** Everything that it has recorded; a line that is still being written is left out. */
  events(): readonly AppEvent[] {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => Event.parse(JSON.parse(line)));
  }

  isRunning(): boolean {
    try {
      return readFileSync(`/proc/${this.pid}/cmdline`).length > 0;
    } catch {
      // It has ended, perhaps while it was read.
      return false;
    }
  }
}

function launchedPid(reply: Reply): number {
  return reply.ok(Launched).pid;
}
