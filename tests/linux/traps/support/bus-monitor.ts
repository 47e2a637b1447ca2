import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One method call as the bus saw it. */
export interface SeenCall {
  readonly sender: string;
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

const PROGRAM = '/usr/bin/dbus-monitor';
const CALL =
  /^method call time=\S+ sender=(\S+) -> destination=(\S+) serial=\d+ path=(\S+); interface=(\S+); member=(\S+)$/;
const START_MS = 5000;

export const hasBusMonitor = existsSync(PROGRAM);

/** Watches every method call on a bus with a program that is not ours. */
export class BusMonitor {
  readonly calls: readonly SeenCall[];
  private readonly end: () => Promise<void>;

  private constructor(calls: readonly SeenCall[], end: () => Promise<void>) {
    this.calls = calls;
    this.end = end;
  }

  static async start(address: string): Promise<BusMonitor> {
    const child = spawn(PROGRAM, ['--address', address, "type='method_call'"], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const calls: SeenCall[] = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, sender, destination, path, iface, member] = CALL.exec(line) ?? [];
        if (sender && destination && path && iface && member)
          calls.push({ sender, destination, path, interface: iface, member });
      }
    });
    // It prints what it is told itself, once it listens.
    const listening = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    await Promise.race([listening, sleep(START_MS)]);
    return new BusMonitor(calls, async () => {
      child.kill('SIGKILL');
      await ended;
    });
  }

  /** Everything seen so far, once nothing has come for a moment. */
  async settled(): Promise<readonly SeenCall[]> {
    for (let count = -1; count !== this.calls.length;) {
      count = this.calls.length;
      await sleep(250);
    }
    return this.calls;
  }

  stop(): Promise<void> {
    return this.end();
  }
}
