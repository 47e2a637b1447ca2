import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { lastLines } from '../../node/quiet-files.ts';
import { processStartTime } from '../process/facts.ts';

/** One program that makes up the desktop: the X server, the bus, the window manager. */
export interface ServiceRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly logFolder: string;
  /** The descriptor on which the program writes one line when it is ready. */
  readonly readyDescriptor: 1 | 3;
  readonly signal: AbortSignal;
  /** Called right after the start, before waiting for anything. */
  readonly onStarted: (pid: number, startTime: string) => void;
}

/** A running service and the line it printed when it became ready. */
export interface Service {
  readonly pid: number;
  readonly readyLine: string;
  readonly process: ChildProcess;
}

/**
 * Starts a program in its own session, so that Ctrl-C at the terminal does not reach it, and waits for its ready line.
 * @throws DeskterityError DISPLAY_UNAVAILABLE if it exits first or `signal` aborts first
 */
export async function startService(request: ServiceRequest): Promise<Service> {
  const name = path.basename(request.program);
  const logFile = path.join(request.logFolder, `${name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(request.program, request.args, {
    detached: true,
    cwd: '/',
    env: request.environment,
    stdio: request.readyDescriptor === 1 ? ['ignore', 'pipe', log] : ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  child.unref();
  const failure = new Promise<never>((_resolve, reject) => {
    child.once('error', (error) => reject(unavailable(name, error.message)));
    child.once('exit', (code, signal) => {
      reject(
        unavailable(name, `it exited with ${signal ?? `code ${code}`}. ${lastLines(logFile, 5)}`.trim()),
      );
    });
  });
  failure.catch(() => undefined);
  if (child.pid !== undefined) request.onStarted(child.pid, processStartTime(child.pid) ?? '');
  const output = child.stdio[request.readyDescriptor];
  if (!isReadable(output) || child.pid === undefined) return failure;
  try {
    const readyLine = await Promise.race([firstLine(output), failure, aborted(request.signal, name)]);
    return { pid: child.pid, readyLine, process: child };
  } finally {
    output.destroy();
  }
}

function unavailable(name: string, detail: string): DeskterityError {
  return new DeskterityError('DISPLAY_UNAVAILABLE', `The private desktop did not start: ${name} failed.`, {
    suggestion: `Run "${name}" in a terminal to see why it does not start.`,
    platformDetail: detail,
  });
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'on' in stream && 'destroy' in stream;
}

function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end).trim());
    });
  });
}

function aborted(signal: AbortSignal, name: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(unavailable(name, 'it was not ready in time'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
