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

/** Runs `body` in a new world, which must be empty again after its daemon was stopped. */
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

/** Many clients at the same moment, without a running daemon: one is started, and all are answered. */
export async function manyClientsAtOnce(user: UserDesktop, clients: number): Promise<void> {
  await inWorld(user, async (world) => {
    const calls = Array.from({ length: clients }, () => world.call(['session', 'list']));
    const seen = new Set<number>();
    const over = new AbortController();
    const replies = Promise.all(calls.map(({ reply }) => reply)).finally(() => over.abort());
    // A second daemon may have started for a moment, but must neither stay nor answer.
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

/** Calls of one world whose daemon is killed during them. */
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
   * @returns whether the kill hit the call
   * @throws Error if the answer is wrong
   */
  async read(): Promise<boolean> {
    const { reply, isHit } = await this.crashDuring(['snapshot', '--app', this.app], USUAL_READ_MS);
    requirePress(reply);
    return isHit;
  }

  /**
   * The application counts the presses of its button.
   * @returns whether the kill hit the call
   * @throws Error if it was pressed twice, if a success was reported without a press, or if an error hides a possible one
   */
  async click(): Promise<boolean> {
    if (this.ref === '') this.ref = await pressRef(this.world, this.app);
    const before = await presses(this.user.fixture);
    const { reply, isHit } = await this.crashDuring(['click', this.ref], USUAL_CLICK_MS);
    // Time for a late press.
    await sleep(100);
    const pressed = (await presses(this.user.fixture)) - before;
    if (pressed > 1) throw new Error(`pressed ${pressed} times: ${reply.toString()}`);
    if (reply.exitCode === 0) {
      if (pressed !== 1) throw new Error(`a false success: ${reply.toString()}`);
      return isHit;
    }
    if (!isHit) throw new Error(`failed although no daemon was killed during it: ${reply.toString()}`);
    if (reply.error('DAEMON_UNAVAILABLE').delivered !== true)
      throw new Error(`does not report that it may have been delivered: ${reply.toString()}`);
    return true;
  }

  async end(): Promise<void> {
    try {
      // The next call must remove what a killed daemon left behind.
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
    // With a warm daemon the call takes its usual time.
    requirePress(await this.world.desk('snapshot', '--app', this.app));
    const daemon = this.world.recordedDaemon();
    if (daemon === undefined) throw new Error('no daemon');
    const call = this.world.call(args);
    await sleep(30 + this.random() * usualMs);
    const isHit = call.process.exitCode === null;
    kill(daemon);
    const reply = await call.reply;
    // The killed daemon may still be exiting.
    const daemons = this.world.daemons().filter((pid) => pid !== daemon);
    if (daemons.length > 1) throw new Error(`daemons: ${daemons.join(' ')}`);
    return { reply, isHit };
  }
}

/** A copy of the built program that identifies itself as another build. */
export async function otherBuild(program: string, folder: string): Promise<string> {
  await cp(dirname(program), folder, { recursive: true });
  const desk = await readFile(program, 'utf8');
  const build = /\d+\.\d+\.\d+\+[0-9a-f]{10}/.exec(desk)?.[0];
  if (build === undefined) throw new Error('the program contains no build id');
  const other = `${build.slice(0, -10)}0123456789`;
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.c?js$/.test(name)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (text.includes(build)) await writeFile(join(folder, name), text.replaceAll(build, other));
  }
  return join(folder, basename(program));
}

/** An idle daemon of another build is replaced silently. */
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

/** A daemon that has a private desktop is reported and left alone; `daemon restart` ends it. */
export async function reportsBusy(user: UserDesktop, newer: string): Promise<void> {
  await inWorld({ ...user, program: newer }, async (world) => {
    expectCode(await world.call(['session', 'new', 'kept', '--private'], user.program).reply, 0);
    const before = world.daemons();
    const { message, suggestion } = (await world.desk('session', 'list')).error('DAEMON_UNAVAILABLE');
    if (!/1 private desktop/.test(message) || !/daemon restart/.test(suggestion))
      throw new Error(`not reported as expected: ${message} ${suggestion}`);
    expectCode(await world.call(['list-windows', '--session', 'kept'], user.program).reply, 0);
    if (world.daemons().join(' ') !== before.join(' ')) throw new Error('the daemon was ended');
    expectCode(await world.desk('daemon', 'restart'), 0);
    expectCode(await world.desk('session', 'list'), 0);
    expectNothing(await world.untilClean('daemon', CLEAN_LIMIT_MS));
  });
}
