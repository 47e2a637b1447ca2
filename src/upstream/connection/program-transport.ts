import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { ClockPort } from '../../ports/clock.ts';
import { isRecord } from '../../model/is-record.ts';
import { within } from '../../model/within.ts';
import { deserializeMessage, serializeMessage, type JSONRPCMessage, type Transport } from '../sdk.ts';
import type { ProgramTarget } from '../configuration/server-target.ts';

/** The longest message of a server. */
export const LONGEST_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Time to end after its input has ended, and after SIGTERM. */
const LEAVE_MS = 1000;
const TERMINATE_MS = 1000;
/** The code for a malformed answer; outside the codes of the protocol. */
export const NOT_A_MESSAGE = 1;

export interface ProgramParts {
  readonly clock: ClockPort;
  /** One line of its standard error. */
  readonly onErrorLine: (line: string) => void;
}

/**
 * A server that is a program, on its standard streams. Unlike the transport of the protocol library, it is the leader of a process group, which is ended
 * as a whole: what a launcher such as npx has started is not left behind.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended by itself, as a phrase. */
  problem: string | undefined;
  private readonly target: ProgramTarget;
  private readonly parts: ProgramParts;
  private child: ChildProcessWithoutNullStreams | undefined;
  private exited: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(target: ProgramTarget, parts: ProgramParts) {
    this.target = target;
    this.parts = parts;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  async start(): Promise<void> {
    const { command, args, cwd, environment } = this.target;
    const child = spawn(command, args, { cwd, env: environment, stdio: 'pipe', detached: true });
    this.child = child;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.problem ??= signal === null ? `it ended with exit code ${code ?? 0}` : `it ended with ${signal}`;
        this.endGroup('SIGKILL');
        process.off('exit', this.endNow);
        resolve();
        this.over();
      });
    });
    // A process that ends in another way than by `close` leaves nothing behind either.
    process.once('exit', this.endNow);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        process.off('exit', this.endNow);
        this.problem = `it could not be started (${'code' in error ? String(error.code) : error.message})`;
        reject(error);
        this.over();
      });
    });
    child.on('error', (error) => this.onerror?.(error));
    // A server that has ended cannot be written to; its exit tells.
    child.stdin.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) stream.on('error', () => undefined);
    child.stdout.on(
      'data',
      readLines(LONGEST_MESSAGE_BYTES, (line) => this.received(line), this.tooLong),
    );
    child.stderr.on(
      'data',
      readLines(
        4096,
        (line) => this.parts.onErrorLine(line),
        () => undefined,
      ),
    );
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { child } = this;
    if (child === undefined || this.isOver) return Promise.reject(new Error('The server has ended.'));
    return new Promise((resolve) => {
      if (child.stdin.write(serializeMessage(message))) resolve();
      else {
        // A server that never reads is found by the deadline of its call.
        const done = (): void => {
          child.stdin.off('drain', done);
          child.off('exit', done);
          resolve();
        };
        child.stdin.once('drain', done);
        child.once('exit', done);
      }
    });
  }

  async close(): Promise<void> {
    const { child, parts } = this;
    if (child === undefined) return;
    child.stdin.end();
    if ((await within(parts.clock, this.exited, LEAVE_MS)) === undefined) {
      this.endGroup('SIGTERM');
      if ((await within(parts.clock, this.exited, TERMINATE_MS)) === undefined) this.endGroup('SIGKILL');
    }
    this.over();
  }

  private readonly endNow = (): void => this.endGroup('SIGKILL');

  private readonly tooLong = (): void => {
    this.problem = `it sent a message of more than ${LONGEST_MESSAGE_BYTES / 1024 / 1024} MiB`;
    this.endGroup('SIGKILL');
  };

  private received(line: string): void {
    if (this.isOver) return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      // Some servers print other things, too. A malformed answer fails its call at once.
      const id = idIn(line);
      if (id === undefined) return;
      message = {
        jsonrpc: '2.0',
        id,
        error: { code: NOT_A_MESSAGE, message: 'it is not a message of the protocol' },
      };
    }
    this.onmessage?.(message);
  }

  private endGroup(signal: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Nothing of it is left.
    }
  }

  private over(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onclose?.();
  }
}

/** The request that a line is meant to answer, if it is JSON that names one and asks nothing itself. */
function idIn(line: string): string | number | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const data: unknown = JSON.parse(line);
    if (!isRecord(data) || data['method'] !== undefined) return undefined;
    const { id } = data;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Calls `onLine` with each line that is not longer than `most` bytes, and `onExcess` once for the first one that is; its rest is dropped. */
function readLines(
  most: number,
  onLine: (line: string) => void,
  onExcess: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let hasTold = false;
  const add = (bytes: Buffer): void => {
    size += bytes.length;
    if (size <= most) parts.push(bytes);
    else {
      parts = [];
      if (!hasTold) onExcess();
      hasTold = true;
    }
  };
  return (chunk) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      add(rest.subarray(0, end));
      if (size <= most && size > 0) onLine(Buffer.concat(parts).toString('utf8').replace(/\r$/, ''));
      parts = [];
      size = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) add(rest);
  };
}
