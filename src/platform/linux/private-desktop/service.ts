import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { lastLines } from '../../node/quiet-files.ts';
import { processStartTime } from '../process/facts.ts';

const LONGEST_LINE = 1000;

/** One program that makes up the desktop: the X server, the bus, the window manager. */
export interface ServiceRequest {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFolder: string;
  readonly signal: AbortSignal;
  /** Called right after the start, before waiting for anything. */
  readonly onStarted: (pid: number, startTime: string) => void;
}

interface Start {
  /** In messages and of its log file; default that of the program. */
  readonly name?: string | undefined;
  readonly args: readonly string[];
  /** The descriptor on which the program writes one line when it is ready. */
  readonly readyDescriptor: 1 | 3;
}

/**
 * Starts a program in its own session, so that Ctrl-C at the terminal does not reach it, and waits for its ready line, which it returns.
 * @throws DeskterityError DISPLAY_UNAVAILABLE if it exits first or `signal` aborts first
 */
export async function startService(
  request: ServiceRequest,
  { args, readyDescriptor, name = path.basename(request.program) }: Start,
): Promise<string> {
  const logFile = path.join(request.logFolder, `${name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(request.program, args, {
    detached: true,
    cwd: '/',
    env: request.environment,
    stdio: readyDescriptor === 1 ? ['ignore', 'pipe', log] : ['ignore', log, log, 'pipe'],
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
  const output = child.stdio[readyDescriptor];
  if (!isReadable(output)) return failure;
  try {
    return await Promise.race([firstLine(output), failure, aborted(request.signal, name)]);
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

/** Everything up to the first line feed; a program that never sends one is not kept in memory. */
function firstLine(stream: Readable): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-LONGEST_LINE);
      if (chunk.includes('\n')) resolve(text);
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
