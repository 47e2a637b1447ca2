import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { ROOT } from '../../tests/program-copy.ts';
import { Lines } from './lines.ts';
import { McpClient } from './mcp-client.ts';

const START_MS = 20_000;
const CALL_MS = 30_000;
const DEFECTS = new Set([
  'INTERNAL',
  'INVALID_ARGUMENT',
  'DAEMON_UNAVAILABLE',
  'BUS_UNAVAILABLE',
  'DISPLAY_UNAVAILABLE',
]);

export interface Reply {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** All that was printed. */
  readonly shown: string;
  /** The error code, if it failed, else `ok`. */
  readonly code: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A private desktop with the built program, a project, and applications that attack. */
export class World {
  readonly project: string;
  readonly entry: string;
  readonly environment: Variables;
  private readonly desktop: PrivateDesktop;
  private readonly program: string;
  private readonly children: ChildProcess[] = [];
  private readonly clients = new Map<string, McpClient>();
  private lines: Lines | undefined;
  private readonly endings: (() => Promise<void>)[] = [];

  private constructor(desktop: PrivateDesktop, program: { folder: string; entry: string }, project: string) {
    this.desktop = desktop;
    this.program = program.folder;
    this.entry = program.entry;
    this.project = project;
    this.environment = { ...desktop.environment, SHELL: '/bin/bash' };
  }

  static async start(): Promise<World> {
    const program = await builtProgram();
    const desktop = await PrivateDesktop.start({ deadlineMs: START_MS });
    const project = join(desktop.environment['HOME'] ?? program.folder, 'project');
    await mkdir(join(project, '.deskterity/tools'), { recursive: true });
    return new World(desktop, program, project);
  }

  get home(): string {
    return this.environment['HOME'] ?? '';
  }

  async stop(): Promise<void> {
    for (const end of this.endings.splice(0)) await end();
    await this.endDaemon();
    for (const child of this.children) child.kill('SIGKILL');
    await this.desktop.stop();
    await rm(this.program, { recursive: true, force: true });
  }

  /** Is done before everything ends. */
  atEnd(end: () => Promise<void>): void {
    this.endings.push(end);
  }

  /** Ends the daemon, so that nothing listens on the desktop until the next call. */
  async endDaemon(): Promise<void> {
    for (const client of this.clients.values()) client.stop();
    this.clients.clear();
    this.lines?.end();
    this.lines = undefined;
    await this.desk(['daemon', 'stop']);
  }

  /** Starts a program of the desktop and waits until it prints `ready`. */
  async open(program: string, args: readonly string[], variables: Variables = {}): Promise<ChildProcess> {
    const child = spawn(program, args, {
      env: { ...this.environment, ...variables },
      cwd: this.project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.push(child);
    let printed = '';
    let complaint = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    const end = performance.now() + START_MS;
    while (!printed.includes('ready')) {
      if (performance.now() > end || child.exitCode !== null)
        throw new Error(`${program} did not start: ${complaint.slice(-300)}`);
      await sleep(20);
    }
    return child;
  }

  /** Runs the program as an agent of a session would. @throws Error if it failed in itself, which is no refusal */
  async desk(args: readonly string[], variables: Variables = {}, input?: string): Promise<Reply> {
    const reply = await this.run(process.execPath, [this.entry, ...args], variables, input);
    if (DEFECTS.has(reply.code)) throw new Error(`desk ${args[0]} failed: ${reply.stdout.slice(0, 300)}`);
    return reply;
  }

  /** As {@link desk}, for calls that are wrong on purpose. */
  wrongCall(args: readonly string[]): Promise<Reply> {
    return this.run(process.execPath, [this.entry, ...args]);
  }

  /** Runs any program of the desktop to its end. */
  run(program: string, args: readonly string[], variables: Variables = {}, input?: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        env: { ...this.environment, ...variables },
        cwd: this.project,
        timeout: CALL_MS,
      });
      child.stdin.on('error', () => undefined).end(input);
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.once('error', reject);
      child.once('close', (status, signal) => {
        const code = /"code":"([A-Z_]+)"/.exec(stdout)?.[1] ?? (status === 0 ? 'ok' : `exit ${status}`);
        if (status === null) reject(new Error(`${args[1] ?? program} was ended by ${signal ?? 'a signal'}`));
        else resolve({ exitCode: status, stdout, stderr, shown: stdout + stderr, code });
      });
    });
  }

  /** What has to be done before an attack: as {@link desk}, but over one connection, which is quicker. */
  prepare(args: readonly string[]): Promise<string> {
    this.lines ??= new Lines(
      spawn(process.execPath, [this.entry, 'batch'], { env: { ...this.environment }, cwd: this.project }),
    );
    return this.lines.ask(JSON.stringify({ args }));
  }

  /** The folder of the configuration, which is the user's. */
  get configFolder(): string {
    return join(this.environment['XDG_CONFIG_HOME'] ?? join(this.home, '.config'), 'deskterity');
  }

  /** Does something while the user's configuration has a file, and takes it away again. */
  async withFile<T>(name: 'policy.toml' | 'config.toml', content: string, run: () => Promise<T>): Promise<T> {
    const file = join(this.configFolder, name);
    await mkdir(this.configFolder, { recursive: true });
    await writeFile(file, content, { mode: 0o600 });
    try {
      return await run();
    } finally {
      await rm(file, { recursive: true, force: true });
    }
  }

  /** The reference of the element with a name. */
  async ref(name: string, app: string): Promise<string> {
    return /"ref":"(@e\d+)"/.exec(await this.prepare(['find', name, '--app', app, '--exact']))?.[1] ?? '@e0';
  }

  /** A client of the MCP server on standard streams; the same one for the same arguments. */
  async client(...args: string[]): Promise<McpClient> {
    const key = args.join(' ');
    const known = this.clients.get(key);
    if (known !== undefined) return known;
    const client = await McpClient.start(process.execPath, [this.entry, 'mcp', ...args], {
      environment: this.environment,
      cwd: this.project,
    });
    this.clients.set(key, client);
    return client;
  }

  /** Everything that the program stored: logs, state, configuration. */
  async keptFiles(logsOnly = false): Promise<string> {
    const entries = await readdir(this.home, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && entry.parentPath.slice(this.home.length).includes('deskterity'))
      .filter((entry) => !entry.parentPath.startsWith(this.project))
      .filter(
        (entry) =>
          !logsOnly ||
          /\.(?:log|jsonl)$|log/.test(join(entry.parentPath, entry.name).slice(this.home.length)),
      )
      .map((entry) => join(entry.parentPath, entry.name));
    return (await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))).join('\n');
  }
}

/** A file of the repository. */
export function repositoryFile(path: string): string {
  return join(ROOT, path);
}
