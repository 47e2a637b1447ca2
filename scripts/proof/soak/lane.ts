import { setTimeout as sleep } from 'node:timers/promises';
import { kill, type World } from '../../../tests/e2e/support/kill-world.ts';
import { requirePress } from '../../../tests/e2e/support/kill-round.ts';
import type { Reply } from '../../../tests/e2e/support/reply.ts';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import { projectOf } from '../private-world.ts';
import { pick, type Random } from '../reliability/random.ts';
import { SessionApp } from '../session-app.ts';

const ENDS = ['close-app', 'killed', 'close-window'] as const;
const GONE_MS = 10_000;
/** What is done in each life, besides reading the window. */
const DEEDS = 4;
/** A session more is opened and killed in each life of this number. */
const OTHER_EVERY = 5;

/** One session, in which applications are started, worked, closed and killed, one after the other. */
export class Lane {
  readonly session: string;
  private readonly world: World;
  private readonly number: number;
  private readonly random: Random;
  private lives = 0;

  constructor(world: World, number: number, random: Random) {
    this.world = world;
    this.number = number;
    this.random = random;
    this.session = `s${number}`;
  }

  async open(): Promise<void> {
    await this.mustDo('session', 'new', this.session, '--private');
  }

  /** The life of one application. @throws Error with the first answer that was not right */
  async live(): Promise<void> {
    const turn = this.number + this.lives++;
    const kind = FIXTURE_KINDS[turn % FIXTURE_KINDS.length];
    const way = ENDS[Math.floor(turn / FIXTURE_KINDS.length + this.number) % ENDS.length];
    if (kind === undefined || way === undefined) throw new Error('no such life');
    const app = await SessionApp.start(this.world, this.session, kind);
    try {
      await this.work(app);
    } finally {
      await this.end(app, way);
    }
    if (turn % OTHER_EVERY === 0) await this.otherSession();
  }

  /** Reads the window and does some of the usual things, in any order. */
  private async work(app: SessionApp): Promise<void> {
    requirePress(await this.act('snapshot', '--app', String(app.pid)));
    const name = app.locator('label:"Name"');
    const deeds: (() => Promise<unknown>)[] = [
      () => this.press(app),
      () => this.act('set-value', name, `number ${this.lives}`),
      () => this.act('type', name, 'abc'),
      () => this.act('toggle', app.locator('role:checkbox[name="Agree"]')),
      () => this.act('find', 'Press', '--app', String(app.pid)),
      () => this.act('screenshot', '--app', String(app.pid)),
      () => this.act('list-windows'),
      () => this.fail(app),
      () => this.leave(app),
      () => this.runTool(),
      () => this.runTerminal(),
    ];
    for (let count = 0; count < DEEDS; count++) await pick(this.random, deeds)();
  }

  private async press(app: SessionApp): Promise<void> {
    await this.act('click', app.locator('role:button[name="Press"]'));
    if (!app.events().some(({ widget, event }) => widget === 'press' && event === 'clicked'))
      throw new Error(`${app.kind} did not record the click`);
  }

  private async fail(app: SessionApp): Promise<void> {
    for (const target of ['@e99999', app.locator('role:button[name="Not there"]')]) {
      const reply = await this.world.desk('click', target, '--session', this.session, '--timeout', '500');
      if (reply.exitCode === 0) throw new Error(`clicked what does not exist: ${reply.toString()}`);
    }
  }

  /** The caller is killed while it waits. */
  private async leave(app: SessionApp): Promise<void> {
    const wait = ['wait', '--text', 'never there', '--app', String(app.pid), '--timeout', '20000'];
    const call = this.world.call([...wait, '--session', this.session]);
    await sleep(200 + this.random() * 300);
    kill(call.pid);
    await call.reply;
  }

  private async runTool(): Promise<void> {
    const scope = ['--sandbox-scope', projectOf(this.world)];
    await this.mustDo('sandboxed-shell', `seq ${1000 + Math.floor(this.random() * 20_000)}`, ...scope);
  }

  private async runTerminal(): Promise<void> {
    const terminal = ['--tag', `t${this.number}`];
    await this.mustDo('terminal', 'execute', 'seq 100', ...terminal);
    await this.mustDo('terminal', 'close', ...terminal);
  }

  private async end(app: SessionApp, way: (typeof ENDS)[number]): Promise<void> {
    // However it is asked to close, one that asks back is killed.
    if (way === 'close-app') await this.world.desk('close-app', String(app.pid), '--session', this.session);
    if (way === 'close-window')
      await this.world.desk('close-window', '--app', String(app.pid), '--session', this.session);
    const end = performance.now() + GONE_MS;
    kill(app.pid);
    while (app.isRunning()) {
      if (performance.now() > end) throw new Error(`process ${app.pid} is still there`);
      await sleep(20);
    }
  }

  private async otherSession(): Promise<void> {
    const name = `other-${this.number}`;
    await this.mustDo('session', 'new', name, '--private');
    await this.mustDo('list-windows', '--session', name);
    await this.mustDo('session', 'kill', name);
  }

  private act(...args: readonly string[]): Promise<Reply> {
    return this.mustDo(...args, '--session', this.session);
  }

  private async mustDo(...args: readonly string[]): Promise<Reply> {
    const reply = await this.world.desk(...args);
    if (reply.exitCode !== 0) throw new Error(reply.toString().slice(0, 400));
    return reply;
  }
}
