import { spawn } from 'node:child_process';
import { z } from 'zod';
import type { Place } from '../harness.ts';

const Served = z.looseObject({ ok: z.literal(true), url: z.url() });
const START_MS = 20_000;
const END_MS = 10_000;

export interface HttpServer {
  readonly url: URL;
  /** Interrupts it and waits for its end; may be called again. @throws Error if it failed */
  stop(): Promise<void>;
}

/** Adds the tools that tests use to check states, unless the flags select tools, and the data that they read, unless they choose a form. */
export function withChecks(flags: readonly string[]): readonly string[] {
  return [
    ...flags,
    ...(flags.includes('--toolsets') ? [] : ['--toolsets', 'core,verify']),
    ...(flags.some((flag) => flag === '--text-only' || flag === '--structured')
      ? []
      : ['--structured', 'always']),
  ];
}

/** `desk mcp --http` on a free port, as a process. */
export async function serveOverHttp(place: Place, flags: readonly string[] = []): Promise<HttpServer> {
  const child = spawn(process.execPath, [place.entry, 'mcp', '--http', '--port', '0', ...withChecks(flags)], {
    env: { ...place.desktop.environment },
    cwd: place.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const printed = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.endsWith('\n')) resolve(stdout);
    });
  });
  const said = await within(START_MS, Promise.race([printed, ended]));
  if (typeof said !== 'string' || said !== stdout) {
    child.kill('SIGKILL');
    throw new Error(`desk mcp --http did not start: ${said ?? 'too late'} ${stdout}${stderr}`);
  }
  const { url } = Served.parse(JSON.parse(said));
  let stopping: Promise<void> | undefined;
  return {
    url: new URL(url),
    stop: () =>
      (stopping ??= (async () => {
        child.kill('SIGINT');
        const status = await within(END_MS, ended);
        if (status === undefined) child.kill('SIGKILL');
        if (status !== 0 || stderr !== '')
          throw new Error(`desk mcp --http exited with ${status}: ${stderr}`);
      })()),
  };
}

/** `undefined` if it takes longer. */
async function within<T>(limitMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
