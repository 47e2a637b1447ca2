import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectCode, expectNothing, presses, pressRef, requirePress } from './kill-round.ts';
import type { UserDesktop } from './kill-round.ts';
import { kill, World } from './kill-world.ts';
import type { Reply } from './reply.ts';

const USUAL_READ_MS = 250;
const USUAL_CLICK_MS = 500;
const CLEAN_LIMIT_MS = 10_000;

/** Runs `body` in a world of its own, which must be empty again when its daemon was stopped. */
async function inWorld(user: UserDesktop, body: (world: World) => Promise<void>): Promise<void> {
  const world = new World(user.program, user.environment);
  try {
    await body(world);
    expectCode(await world.desk('daemon', 'stop'), 0);
    expectNothing(await world.untilClean('nothing', CLEAN_LIMIT_MS));
  } finally {
    world.end();
  }
}

/** So many clients at the same moment, without a daemon: one is started, and all are answered. */
export async function manyClientsAtOnce(user: UserDesktop, clients: number): Promise<void> {
  await inWorld(user, async (world) => {
    const calls = Array.from({ length: clients }, () => world.call(['session', 'list']));
    const seen = new Set<number>();
    const over = new AbortController();
    const replies = Promise.all(calls.map(({ reply }) => reply)).finally(() => over.abort());
    // Another may have come up for a moment and have been the one too many: it must not stay or answer.
    while (!over.signal.aborted) {
      const pid = world.recordedDaemon();
      if (pid !== undefined) seen.add(pid);
      await sleep(20);
    }
    for (const reply of await replies) expectCode(reply, 0);
    const daemons = world.daemons();
    if (daemons.length !== 1) throw new Error(`${daemons.length} daemons`);
    if (seen.size !== 1) throw new Error(`${seen.size} daemons listened one after the other`);
  });
}

/** Calls of one world whose daemon is killed in the middle of them. */
export class CrashedCalls {
  private readonly user: UserDesktop;
  private readonly world: World;
  private readonly random: () => number;
  private ref = '';

  constructor(user: UserDesktop, random: () => number) {
    this.user = user;
    this.random = random;
    this.world = new World(user.program, user.environment);
  }

  /**
   * @returns whether the kill fell into the call
   * @throws Error when the answer is not the right one
   */
  async read(): Promise<boolean> {
    const { reply, isHit } = await this.crashDuring(['snapshot', '--app', this.app], USUAL_READ_MS);
    requirePress(reply);
    return isHit;
  }

  /**
   * The application says how often its button was pressed.
   * @returns whether the kill fell into the call
   * @throws Error when it was pressed twice, when a success was told of no press, or an error hides a possible one
   */
  async click(): Promise<boolean> {
    if (this.ref === '') this.ref = await pressRef(this.world, this.app);
    const before = await presses(this.user.fixture);
    const { reply, isHit } = await this.crashDuring(['click', this.ref], USUAL_CLICK_MS);
    // Time for a press that comes late.
    await sleep(100);
    const pressed = (await presses(this.user.fixture)) - before;
    if (pressed > 1) throw new Error(`pressed ${pressed} times: ${reply.toString()}`);
    if (reply.exitCode === 0) {
      if (pressed !== 1) throw new Error(`a false success: ${reply.toString()}`);
      return isHit;
    }
    if (!isHit) throw new Error(`nothing was killed under it: ${reply.toString()}`);
    if (reply.error('DAEMON_UNAVAILABLE').delivered !== true)
      throw new Error(`does not say that it may have been delivered: ${reply.toString()}`);
    return true;
  }

  async end(): Promise<void> {
    try {
      // What a killed daemon left in its place is for the next call to clear.
      expectCode(await this.world.desk('session', 'list'), 0);
      expectCode(await this.world.desk('daemon', 'stop'), 0);
      expectNothing(await this.world.untilClean('nothing', CLEAN_LIMIT_MS));
    } finally {
      this.world.end();
    }
  }

  private get app(): string {
    return String(this.user.fixture.pid);
  }

  private async crashDuring(
    args: readonly string[],
    usualMs: number,
  ): Promise<{ reply: Reply; isHit: boolean }> {
    // A daemon that has warmed up: the call takes its usual time.
    requirePress(await this.world.desk('snapshot', '--app', this.app));
    const daemon = this.world.recordedDaemon();
    if (daemon === undefined) throw new Error('no daemon');
    const call = this.world.call(args);
    await sleep(30 + this.random() * usualMs);
    const isHit = call.process.exitCode === null;
    kill(daemon);
    const reply = await call.reply;
    // The one that was killed may still be about to go.
    const daemons = this.world.daemons().filter((pid) => pid !== daemon);
    if (daemons.length > 1) throw new Error(`daemons: ${daemons.join(' ')}`);
    return { reply, isHit };
  }
}

/** A copy of the built program that says it is of another build. */
export async function otherBuild(program: string, folder: string): Promise<string> {
  await cp(dirname(program), folder, { recursive: true });
  const desk = await readFile(program, 'utf8');
  const build = /\d+\.\d+\.\d+\+[0-9a-f]{10}/.exec(desk)?.[0];
  if (build === undefined) throw new Error('the program names no build');
  const other = `${build.slice(0, -10)}0123456789`;
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.c?js$/.test(name)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (text.includes(build)) await writeFile(join(folder, name), text.replaceAll(build, other));
  }
  return join(folder, basename(program));
}

/** An idle daemon of another build is replaced without a word. */
export async function replacesIdle(user: UserDesktop, newer: string): Promise<void> {
  await inWorld({ ...user, program: newer }, async (world) => {
    const app = String(user.fixture.pid);
    requirePress(await world.call(['snapshot', '--app', app], user.program).reply);
    const [old] = world.daemons();
    requirePress(await world.desk('snapshot', '--app', app));
    const daemons = world.daemons();
    if (old === undefined || daemons.length !== 1 || daemons[0] === old)
      throw new Error(`daemons before ${old}, after ${daemons.join(' ')}`);
  });
}

/** One that keeps a private desktop is explained and left alone; `daemon restart` ends it. */
export async function explainsBusy(user: UserDesktop, newer: string): Promise<void> {
  await inWorld({ ...user, program: newer }, async (world) => {
    expectCode(await world.call(['session', 'new', 'kept', '--private'], user.program).reply, 0);
    const before = world.daemons();
    const { message, suggestion } = (await world.desk('session', 'list')).error('DAEMON_UNAVAILABLE');
    if (!/1 private desktop/.test(message) || !/daemon restart/.test(suggestion))
      throw new Error(`not explained: ${message} ${suggestion}`);
    expectCode(await world.call(['list-windows', '--session', 'kept'], user.program).reply, 0);
    if (world.daemons().join(' ') !== before.join(' ')) throw new Error('the daemon was ended');
    expectCode(await world.desk('daemon', 'restart'), 0);
    expectCode(await world.desk('session', 'list'), 0);
    expectNothing(await world.untilClean('daemon', CLEAN_LIMIT_MS));
  });
}
