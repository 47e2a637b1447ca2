import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { DaemonConnection } from '../../src/surfaces/cli/daemon/connect.ts';
import { daemonSocket } from '../../src/platform/paths.ts';
import { z } from 'zod';
import { allowEveryCall } from '../../fixtures/unlimited-calls.ts';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
/** On a busy machine. */
const BUILD_LIMIT_MS = 300_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/** Removed: variables that slow down every Node process, and folders that each user replaces. The marker of a private desktop stays: daemons end with it. */
const NOT_PASSED_ON =
  /^(?:NODE_\w+|DESKTERITY_(?!PRIVATE_DESKTOP$)\w+|XDG_(?:RUNTIME_DIR|STATE_HOME|CACHE_HOME|CONFIG_HOME))$/;

const Status = z.object({ daemon: z.object({ pid: z.int(), version: z.string() }) });

/** The program as published, built from these sources and copied to a folder that no later build changes. */
export class Program {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Builds `dist/` of the working folder, which is the repository. */
  static async build(): Promise<Program> {
    await run(process.execPath, ['scripts/build.mjs'], { timeout: BUILD_LIMIT_MS });
    const folder = await mkdtemp(path.join(tmpdir(), 'deskterity-bench-'));
    await cp('dist', path.join(folder, 'dist'), { recursive: true });
    // It declares the .js files to be modules; otherwise Node would read each of them twice.
    await cp('package.json', path.join(folder, 'package.json'));
    return new Program(folder);
  }

  get entry(): string {
    return path.join(this.folder, 'dist', 'desk.cjs');
  }

  get daemon(): string {
    return path.join(this.folder, 'dist', 'daemon.cjs');
  }

  /** A user of it with separate folders and a separate daemon. */
  async user(name: string, desktop: Readonly<Record<string, string>>): Promise<User> {
    const home = path.join(this.folder, name);
    const runtime = path.join(home, 'run');
    await mkdir(runtime, { recursive: true, mode: 0o700 });
    allowEveryCall(home);
    const own = Object.entries(desktop).filter(([variable]) => !NOT_PASSED_ON.test(variable));
    return new User(this, {
      ...Object.fromEntries(own),
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: home,
      XDG_RUNTIME_DIR: runtime,
    });
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A user who runs `desk`, with a daemon. */
export class User {
  readonly environment: Readonly<Record<string, string>>;
  readonly program: Program;

  constructor(program: Program, environment: Readonly<Record<string, string>>) {
    this.program = program;
    this.environment = environment;
  }

  /** The socket of the user's daemon. */
  get socket(): string {
    return daemonSocket(this.environment);
  }

  async daemonPid(): Promise<number> {
    return Number(await readFile(`${this.socket}.pid`, 'utf8'));
  }

  /** Runs one command line and returns its standard output. @throws if its exit code is not 0 */
  async desk(...args: string[]): Promise<string> {
    const options = { env: this.environment, timeout: LIMIT_MS, maxBuffer: LARGEST_OUTPUT };
    const { stdout } = await run(process.execPath, [this.program.entry, ...args], options);
    return stdout;
  }

  /** A connection for commands without a process for each. */
  async connect(): Promise<Calls> {
    const { daemon } = Status.parse(JSON.parse(await this.desk('status')));
    return new Calls(this, daemon.version);
  }

  /** Ends the daemon, if there is one, with everything it holds. */
  async stop(): Promise<void> {
    await this.desk('daemon', 'stop');
  }
}

/** Calls over one connection to the daemon of a user. */
export class Calls {
  private readonly connection: DaemonConnection;

  constructor({ socket, program, environment }: User, version: string) {
    this.connection = new DaemonConnection({
      socket,
      program: program.daemon,
      script: program.entry,
      version,
      environment,
      cwd: program.folder,
      pid: process.pid,
      colour: false,
      isRepeatable: () => false,
    });
  }

  /** Carries out a command and returns what it printed. @throws if it fails */
  async call(
    session: string,
    command: string,
    input: Readonly<Record<string, string | number | boolean>> = {},
  ): Promise<string> {
    const { exitCode, stdout } = await this.connection.execute(session, command, { ...input });
    if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${stdout.slice(0, 500)}`);
    return stdout;
  }

  /** Bytes to and from an MCP server in the daemon, as `desk mcp` transfers them. */
  openMcp(options: Parameters<DaemonConnection['openMcp']>[0]): Promise<Duplex> {
    return this.connection.openMcp(options, new AbortController().signal);
  }

  /** Why the daemon does not exit, as a phrase such as `1 MCP client`; empty if nothing keeps it. */
  async keptBy(): Promise<string> {
    const link = await this.connection.find();
    const outcome = await link?.ask('ask');
    link?.end();
    if (outcome?.kind !== 'self') throw new Error('The daemon did not report what keeps it.');
    return outcome.identity.why ?? '';
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
