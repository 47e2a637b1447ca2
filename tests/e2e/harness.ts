import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startFixture, type Fixture, type FixtureKind } from '../../fixtures/driver.ts';
import { TEST_DISPLAY, type TestedDisplay } from '../../scripts/compatibility/rows.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { QT_VARIABLES } from '../linux/wayland/stage.ts';
import { ListedApps } from './support/answers.ts';
import { builtProgram } from './support/build.ts';
import { Reply } from './support/reply.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Any of these tests can be tried on another kind of display. */
export const USUAL_DISPLAY: TestedDisplay = process.env[TEST_DISPLAY] === 'wayland' ? 'wayland' : 'x11';

const START_MS = 40_000;
/** Far beyond any deadline: a program that hangs fails its test instead of stopping the run. */
const KILL_AFTER_MS = 45_000;
const REPLIES_SHOWN = 4;
/** Time limit for a daemon to exit after its desktop. */
const GONE_MS = 3000;

/** One private desktop and the built program, shared by the tests of a file. */
export class Place {
  readonly desktop: PrivateDesktop;
  /** A temporary folder in which the program runs. */
  readonly folder: string;
  readonly entry: string;
  readonly recent: Reply[] = [];
  private readonly fixtures: Fixture[] = [];

  private constructor(desktop: PrivateDesktop, program: { folder: string; entry: string }) {
    this.desktop = desktop;
    this.folder = program.folder;
    this.entry = program.entry;
  }

  static async start(display: TestedDisplay = USUAL_DISPLAY): Promise<Place> {
    const program = await builtProgram();
    return new Place(await PrivateDesktop.start({ deadlineMs: START_MS, display }), program);
  }

  /** Ends everything. @throws Error if the daemon outlives its desktop */
  async stop(): Promise<void> {
    const daemon = this.daemonPid();
    await Promise.all(this.fixtures.map((fixture) => fixture.stop()));
    await this.desktop.stop();
    await rm(this.folder, { recursive: true, force: true });
    const end = performance.now() + GONE_MS;
    if (daemon === undefined) return;
    while (isRunning(daemon)) {
      if (performance.now() > end) throw new Error(`the daemon ${daemon} outlived its desktop`);
      await sleep(20);
    }
  }

  /** The daemon of this desktop; each desktop has its own, because it has its own runtime folder. */
  daemonPid(): number | undefined {
    const note = join(this.desktop.environment['XDG_RUNTIME_DIR'] ?? '', 'deskterity/daemon.sock.pid');
    return existsSync(note) ? Number.parseInt(readFileSync(note, 'utf8'), 10) : undefined;
  }

  /** Runs the program once, as a user of this desktop would. Variables set to `undefined` are removed. */
  async desk(args: readonly string[], environment: Environment = {}): Promise<Reply> {
    const started = performance.now();
    const child = spawn(process.execPath, [this.entry, ...args], {
      env: { ...this.desktop.environment, ...environment },
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: KILL_AFTER_MS,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const exitCode = await new Promise<number | string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    const reply = new Reply({ args, exitCode, stdout, stderr, durationMs: performance.now() - started });
    this.recent.push(reply);
    return reply;
  }

  /** Starts a fixture application and waits until the accessibility bus lists it. */
  async fixture(kind: FixtureKind, title?: string): Promise<Fixture> {
    const fixture = await startFixture(kind, {
      environment: { ...this.desktop.environment, ...QT_VARIABLES },
      title,
      deadlineMs: START_MS,
    });
    this.fixtures.push(fixture);
    await this.untilReadable(fixture.pid);
    return fixture;
  }

  /** Toolkits register on the accessibility bus a moment after their window is shown. */
  async untilReadable(pid: number): Promise<void> {
    const end = performance.now() + START_MS;
    for (;;) {
      const { apps } = (await this.desk(['list-apps'])).ok(ListedApps);
      if (apps.some((app) => app.pid === pid && app.accessible)) return;
      if (performance.now() > end) throw new Error(`process ${pid} never became readable`);
      await sleep(100);
    }
  }

  /** Runs another program of the desktop, such as xdotool, and returns what it printed. */
  async run(program: string, args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...this.desktop.environment },
      timeout: START_MS,
    });
    return stdout;
  }
}

/** A desktop for all tests of the calling file; prints the last replies if one of them fails. */
export function usePlace(
  prepare: (place: Place) => Promise<void> = async () => undefined,
  display?: TestedDisplay,
): () => Place {
  let place: Place | undefined;
  const current = (): Place => {
    if (place === undefined) throw new Error('the desktop has not started yet');
    return place;
  };
  beforeAll(async () => {
    place = await Place.start(display);
    await prepare(place);
  });
  afterAll(async () => {
    await place?.stop();
  });
  beforeEach(({ onTestFailed }) => {
    const replies = current().recent.splice(0);
    replies.length = 0;
    onTestFailed(() => {
      for (const reply of current().recent.slice(-REPLIES_SHOWN))
        process.stderr.write(`${reply.toString()}\n`);
    });
  });
  return current;
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
