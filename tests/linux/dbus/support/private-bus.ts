import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { BusConnection } from '../../../../src/platform/linux/dbus/index.ts';

/** Call settings with a deadline that no passing test reaches. */
export const PATIENT = { deadlineMs: 15_000 };

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether all programs are installed; prints the missing ones, because their tests are then skipped. */
export function areInstalled(...programs: string[]): boolean {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) process.stderr.write(`\nSKIPPED: ${missing.join(' and ')} not installed\n`);
  return missing.length === 0;
}

/** The output of a program. @throws Error if its exit code is not 0 */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} exited with ${code}: ${err}`);
  return out;
}

/** A dbus-daemon of our own in a temporary folder. */
export class PrivateBus {
  readonly folder: string;
  readonly address: string;
  readonly #daemon: ChildProcess;
  readonly #connections: BusConnection[] = [];

  private constructor(folder: string, daemon: ChildProcess, address: string) {
    this.folder = folder;
    this.#daemon = daemon;
    this.address = address;
  }

  static async start(): Promise<PrivateBus> {
    const folder = mkdtempSync(join(tmpdir(), 'deskterity-bus-'));
    const daemon = spawn(
      'dbus-daemon',
      ['--session', '--nofork', '--print-address', `--address=unix:path=${join(folder, 'bus')}`],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const address = await new Promise<string>((resolve, reject) => {
      daemon.once('error', reject);
      daemon.once('exit', (code) => reject(new Error(`dbus-daemon exited with ${code}`)));
      daemon.stdout.once('data', (line: Buffer) => resolve(line.toString('utf8').trim()));
    });
    return new PrivateBus(folder, daemon, address);
  }

  /** The process id of the daemon. */
  get pid(): number | undefined {
    return this.#daemon.pid;
  }

  async connect(): Promise<BusConnection> {
    const connection = await BusConnection.connect(this.address, PATIENT);
    this.#connections.push(connection);
    return connection;
  }

  /** Kills the daemon, as in a crash. */
  async kill(): Promise<void> {
    if (this.#daemon.exitCode !== null || this.#daemon.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#daemon.once('exit', resolve));
    this.#daemon.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
