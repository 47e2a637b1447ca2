import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestConnection } from './x-connection.ts';
import { until } from '../../until.ts';

/** A private X server with a window manager, for one test file; every process it starts is ended by `stop`. */
export class TestServer {
  readonly display: string;
  readonly process: ChildProcess;
  /** Temporary; removed by `stop`. */
  readonly folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(display: string, process: ChildProcess, folder: string) {
    this.display = display;
    this.process = process;
    this.folder = folder;
  }

  static async start(
    options: {
      readonly manager?: boolean;
      readonly screen?: string;
      readonly authority?: string;
      /** Names of extensions to disable. */
      readonly without?: readonly string[];
      /** Keeps the picture of the screen, with all pointers, in `Xvfb_screen0` of the folder. */
      readonly framebuffer?: boolean;
    } = {},
  ): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'deskterity-x11-'));
    const screen = options.screen ?? '1280x800x24';
    const authority = options.authority === undefined ? [] : ['-auth', options.authority];
    const without = (options.without ?? []).flatMap((name) => ['-extension', name]);
    const picture = options.framebuffer === true ? ['-fbdir', folder] : [];
    const server = spawn(
      'Xvfb',
      [
        '-displayfd',
        '3',
        '-screen',
        '0',
        screen,
        '-nolisten',
        'tcp',
        '-noreset',
        ...authority,
        ...without,
        ...picture,
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      },
    );
    const number = await new Promise<string>((resolve, reject) => {
      server.on('error', reject);
      server.on('exit', (code) => {
        reject(new Error(`Xvfb ended with ${code}`));
      });
      server.stdio[3]?.once('data', (data: Buffer) => {
        resolve(data.toString().trim());
      });
    });
    const test = new TestServer(`:${number}`, server, folder);
    if (options.manager !== false) await test.startManager();
    return test;
  }

  async startManager(): Promise<ChildProcess> {
    const manager = this.spawn('openbox', ['--sm-disable']);
    await until(() => this.run('wmctrl', '-m').includes('Openbox'), 'openbox');
    return manager;
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      DISPLAY: this.display,
      HOME: this.folder,
      XDG_CONFIG_HOME: this.folder,
      XDG_RUNTIME_DIR: this.folder,
      NO_AT_BRIDGE: '1',
      GTK_A11Y: 'none',
      GSK_RENDERER: 'cairo',
      LC_ALL: 'C.UTF-8',
    };
  }

  spawn(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { env: this.environment, stdio: 'ignore' });
    this.#children.push(child);
    return child;
  }

  /** Standard output of a program; empty if it fails. */
  run(command: string, ...args: string[]): string {
    try {
      return execFileSync(command, args, { env: this.environment, stdio: ['ignore', 'pipe', 'ignore'] })
        .toString()
        .trim();
    } catch {
      return '';
    }
  }

  runBinary(command: string, ...args: string[]): Buffer {
    return execFileSync(command, args, {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64e6,
    });
  }

  /**
   * Starts an application that shows one window of this title and returns the window's id.
   * An application that ends or shows nothing is started once more; the error contains what each one printed.
   */
  async open(title: string, command: string, args: readonly string[]): Promise<{ id: number; pid: number }> {
    const attempts: string[] = [];
    for (const attempt of ['first', 'second']) {
      const log = join(this.folder, `${title}-${attempt}.log`);
      const output = openSync(log, 'w');
      const child = spawn(command, args, { env: this.environment, stdio: ['ignore', output, output] });
      closeSync(output);
      this.#children.push(child);
      const id = await this.#waitForWindow(title, child);
      if (id !== undefined) return { id, pid: child.pid ?? 0 };
      const end = child.exitCode ?? child.signalCode;
      child.kill('SIGKILL');
      attempts.push(
        `the ${attempt} ${end === null ? 'still ran' : `ended with ${end}`}: ${readFileSync(log, 'utf8')}`,
      );
    }
    throw new Error(`no window "${title}"; ${attempts.join('; ')}; windows: ${this.run('wmctrl', '-l')}`);
  }

  async #waitForWindow(title: string, child: ChildProcess): Promise<number | undefined> {
    const latest = Date.now() + 20_000;
    while (Date.now() < latest && child.exitCode === null && child.signalCode === null) {
      const id = this.run('xdotool', 'search', '--onlyvisible', '--name', `^${title}$`).split('\n')[0] ?? '';
      const listed = this.run('wmctrl', '-l');
      if (id !== '' && (listed === '' || listed.includes(title))) return Number(id);
      await sleep(50);
    }
    return undefined;
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** The id of the active window; `undefined` if there is none. */
export async function activeWindow(connection: TestConnection): Promise<number | undefined> {
  return (await connection.listWindows()).find(({ active }) => active)?.id;
}
