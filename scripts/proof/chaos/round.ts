import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FIXTURE_KINDS, type FixtureKind } from '../../../fixtures/driver.ts';
import { ErrorBody } from '../../../src/model/effects/error-body.ts';
import { expectCode } from '../../../tests/e2e/support/kill-round.ts';
import { worksOnWayland } from '../../../tests/linux/wayland/stage.ts';
import type { World } from '../../../tests/e2e/support/kill-world.ts';
import type { Reply } from '../../../tests/e2e/support/reply.ts';
import { endWorld, privateWorld } from '../private-world.ts';
import { pick, type Random } from '../reliability/random.ts';
import { SessionApp } from '../session-app.ts';
import { holderCommands, reading, SESSION, someCommands, type Command } from './commands.ts';
import { judge } from './judge.ts';
import { befall } from './mishaps.ts';
import { endsDesktop, pidOf, type Blow, type ChaosDisplay } from './victims.ts';

/** A command usually takes less; later strikes hit what comes after its answer. */
const LATEST_STRIKE_MS = 900;
/** Whatever was sent to an application that was frozen happens once it goes on. */
const LATE_EFFECTS_MS = 1500;
const RETRY_PAUSE_MS = 500;

const Told = z.looseObject({ error: ErrorBody });

export interface Round {
  readonly display: ChaosDisplay;
  readonly blow: Blow;
  readonly kind: FixtureKind;
  readonly delayMs: number;
}

export interface Played {
  /** How often each answer was given, and how it went on. */
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  /** What the next call said was gone, with the advice. */
  readonly said: readonly string[];
}

export function roundOf(display: ChaosDisplay, blow: Blow, random: Random): Round {
  const kinds = FIXTURE_KINDS.filter((kind) => display === 'x11' || worksOnWayland(kind));
  return { display, blow, kind: pick(random, kinds), delayMs: Math.round(random() * LATEST_STRIKE_MS) };
}

/** Strikes one process while commands run, and judges every answer, the recovery and what is left at the end. */
export async function playRound(program: string, round: Round, random: Random): Promise<Played> {
  const world = privateWorld(program);
  const play = new Play(world, round, random);
  try {
    await play.all();
  } catch (error) {
    play.problems.push(error instanceof Error ? error.message : String(error));
  } finally {
    await play.goOn().catch(() => undefined);
    world.end();
  }
  const { blow, kind, delayMs } = round;
  const at = `${blow.row} after ${delayMs} ms, ${kind}`;
  return {
    counts: play.counts,
    said: play.said,
    problems: play.problems.map((problem) => `${at}: ${problem}`),
  };
}

class Play {
  readonly counts: Record<string, number> = {};
  readonly problems: string[] = [];
  readonly said: string[] = [];
  private readonly world: World;
  private readonly round: Round;
  private readonly random: Random;
  /** Ends what was done for a while. */
  private undo: (() => void | Promise<void>) | undefined;

  constructor(world: World, round: Round, random: Random) {
    this.world = world;
    this.round = round;
    this.random = random;
  }

  async all(): Promise<void> {
    const app = await this.setUp();
    await this.strikeDuring(app);
    const isThere = await this.nextCall(app);
    await this.startOver(app, isThere);
    await this.tidy();
  }

  /** Lets a frozen victim go on, or the desktop be as before. */
  async goOn(): Promise<void> {
    const { undo } = this;
    this.undo = undefined;
    await undo?.();
  }

  private get victim() {
    return 'victim' in this.round.blow ? this.round.blow.victim : undefined;
  }

  /** The session that everything runs in, as it is at first and again after its desktop has ended. */
  private async newSession(): Promise<void> {
    await this.must('session', 'new', SESSION, '--private', '--display', this.round.display);
  }

  private async setUp(): Promise<SessionApp> {
    await this.newSession();
    const app = await SessionApp.start(this.world, SESSION, this.round.kind);
    await this.must('snapshot', '--app', String(app.pid), '--session', SESSION);
    if (this.victim === 'holder') for (const { args } of holderCommands(this.world)) await this.must(...args);
    return app;
  }

  private async strikeDuring(app: SessionApp): Promise<void> {
    const { delayMs } = this.round;
    const token = `t${Math.floor(this.random() * 1e6)}`;
    const chosen = someCommands(this.world, app, this.random, token);
    const commands =
      this.victim === 'holder' ? [...holderCommands(this.world), ...chosen.slice(0, 1)] : chosen;
    const before = app.events().length;
    const strike = this.readyToStrike(app);
    const replies = Promise.all(commands.map(({ args }) => this.world.desk(...args)));
    await sleep(delayMs);
    this.undo = await strike();
    const answers = await replies;
    if (this.undo !== undefined)
      this.judgeReply(reading(app), await this.ask(reading(app)), 'while it lasted');
    await this.goOn();
    await sleep(LATE_EFFECTS_MS);
    const events = app.events().slice(before);
    for (const [index, command] of commands.entries()) {
      const reply = answers[index];
      if (reply !== undefined) this.judgeReply(command, reply, 'during', events);
    }
  }

  /** Looks for the victim before anything runs. @returns what strikes it, and tells how that is undone */
  private readyToStrike(app: SessionApp): () => Promise<(() => void | Promise<void>) | undefined> {
    const { blow } = this.round;
    if ('mishap' in blow) return () => befall(blow.mishap, app.pid);
    const pid = pidOf(blow.victim, this.world, app);
    return async () => {
      signal(pid, blow.way === 'killed' ? 'SIGKILL' : 'SIGSTOP');
      return blow.way === 'frozen' ? () => signal(pid, 'SIGCONT') : undefined;
    };
  }

  /** The next call works, or says what is gone and what to do. @returns whether the application was read */
  private async nextCall(app: SessionApp): Promise<boolean> {
    const { blow } = this.round;
    const mayBeGone =
      'victim' in blow &&
      blow.way === 'killed' &&
      (endsDesktop(blow.victim) || blow.victim === 'application' || blow.victim === 'accessibility bus');
    const first = await this.ask(reading(app));
    this.judgeReply(reading(app), first, 'next');
    if (first.exitCode === 0) {
      this.count('recovered at once');
      return true;
    }
    if (mayBeGone) {
      this.count('said what is gone');
      const { code, message, suggestion } = Told.parse(first.json).error;
      this.said.push(`${code}: ${message} ${suggestion}`);
      return false;
    }
    await sleep(RETRY_PAUSE_MS);
    const second = await this.ask(reading(app));
    if (second.exitCode === 0) {
      this.count('recovered at the second call');
      return true;
    }
    this.problems.push(
      `not recovered: ${first.toString().slice(0, 400)} then ${second.toString().slice(0, 400)}`,
    );
    return false;
  }

  /** What an error advises brings everything back: another session if the desktop is gone, another application if only that is. */
  private async startOver(app: SessionApp, isThere: boolean): Promise<void> {
    let current = app;
    if (!isThere) {
      // One whose desktop is gone may be known or not; only its name must be free afterwards.
      if (this.victim !== 'application') {
        this.judgeReply(
          { name: 'session kill', deadlineMs: 15_000 },
          await this.world.desk('session', 'kill', SESSION),
          'over',
        );
        await this.newSession();
      }
      current = await SessionApp.start(this.world, SESSION, this.round.kind);
    }
    const before = current.events().length;
    const click: Command = {
      name: 'click afterwards',
      deadlineMs: 5000,
      args: ['click', current.locator('role:button[name="Press"]'), '--session', SESSION],
      happened: (events) =>
        events.filter(({ widget, event }) => widget === 'press' && event === 'clicked').length,
      isCounted: true,
    };
    const reply = await this.ask(click);
    await sleep(RETRY_PAUSE_MS);
    this.judgeReply(click, reply, 'afterwards', current.events().slice(before));
    if (reply.exitCode !== 0) this.problems.push(`does not work again: ${reply.toString().slice(0, 600)}`);
  }

  private async tidy(): Promise<void> {
    await this.world.desk('terminal', 'close');
    await this.must('session', 'kill', SESSION);
    const left = await endWorld(this.world);
    if (left.length > 0) this.problems.push(`left behind: ${left.join('; ').slice(0, 600)}`);
  }

  private ask({ args }: Command): Promise<Reply> {
    return this.world.desk(...args);
  }

  private judgeReply(
    asked: Parameters<typeof judge>[0],
    reply: Reply,
    when: string,
    events: Parameters<typeof judge>[2] = [],
  ): void {
    const { answer, problem } = judge(asked, reply, events);
    this.count(`${when}: ${answer}`);
    if (problem !== undefined) this.problems.push(`${when}: ${problem}`);
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  private async must(...args: readonly string[]): Promise<void> {
    expectCode(await this.world.desk(...args), 0);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited by itself.
  }
}
