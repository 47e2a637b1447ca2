import { setTimeout as sleep } from 'node:timers/promises';
import { kill, type World } from '../../../tests/e2e/support/kill-world.ts';
import { requirePress } from '../../../tests/e2e/support/kill-round.ts';
import type { Reply } from '../../../tests/e2e/support/reply.ts';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import { projectOf } from '../private-world.ts';
import type { Random } from '../reliability/random.ts';
import { SessionApp } from '../session-app.ts';

const ENDS = ['close-app', 'killed', 'close-window'] as const;
const GONE_MS = 10_000;

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
      await this.fail(app);
      await this.runTools(turn);
    } finally {
      await this.end(app, way);
    }
    if (turn % 3 === 0) await this.otherSession();
  }

  private async work(app: SessionApp): Promise<void> {
    requirePress(await this.mustDo('snapshot', '--app', String(app.pid), '--session', this.session));
    await this.act('click', app.locator('role:button[name="Press"]'));
    await this.act('set-value', app.locator('label:"Name"'), `number ${this.lives}`);
    await this.act('type', app.locator('label:"Name"'), 'abc');
    await this.act('toggle', app.locator('role:checkbox[name="Agree"]'));
    await this.act('find', 'Press', '--app', String(app.pid));
    await this.act('screenshot', '--app', String(app.pid));
    await this.act('list-windows');
    if (!app.events().some(({ widget, event }) => widget === 'press' && event === 'clicked'))
      throw new Error(`${app.kind} did not record the click`);
  }

  /** Calls that must fail, and one whose caller is killed while it waits. */
  private async fail(app: SessionApp): Promise<void> {
    const reply = await this.world.desk('click', '@e99999', '--session', this.session);
    if (reply.exitCode === 0) throw new Error(`clicked an element that does not exist: ${reply.toString()}`);
    const wait = ['wait', '--text', 'never there', '--app', String(app.pid), '--timeout', '20000'];
    const call = this.world.call([...wait, '--session', this.session]);
    await sleep(200 + this.random() * 300);
    kill(call.pid);
    await call.reply;
  }

  private async runTools(turn: number): Promise<void> {
    const scope = ['--sandbox-scope', projectOf(this.world)];
    await this.mustDo('sandboxed-shell', `seq ${1000 + Math.floor(this.random() * 20_000)}`, ...scope);
    if (turn % 2 === 1) return;
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
