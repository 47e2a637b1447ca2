import { openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Confinement } from '../../../src/model/tools/confinement.ts';
import type { DeniedAccess } from '../../../src/model/tools/operation.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { createProcesses } from '../../../src/platform/linux/sandbox/processes/create-processes.ts';
import { loadKernel } from '../../../src/platform/linux/sandbox/libc-library.ts';
import { allProcesses } from '../../../src/platform/linux/process/facts.ts';
import { detectSandboxLevel } from '../../../src/platform/linux/sandbox/levels/sandbox-level.ts';
import type { EndWaits, ProcessExit, StartedProcess, StartRequest } from '../../../src/ports/process.ts';

/** A process that keeps confined programs, as the holder does, and does what a test asks it to. */

export type Order =
  | { readonly do: 'prepare'; readonly confinement: Confinement }
  | { readonly do: 'start'; readonly confinement: Confinement; readonly request: StartRequest }
  /** Answers when the program has ended and its output as well. */
  | { readonly do: 'wait'; readonly operationId: string }
  | {
      readonly do: 'end';
      readonly operationId: string;
      readonly waits: EndWaits;
      /** Of an operation that another process has started. */
      readonly leader?: { readonly pid: number; readonly startTime: string };
    }
  | { readonly do: 'zombies' }
  | { readonly do: 'level' }
  | { readonly do: 'unconfined'; readonly file: string }
  | { readonly do: 'close' };

export interface Ended extends ProcessExit {
  readonly output: Readonly<Record<string, string>>;
  readonly denied: readonly DeniedAccess[];
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly detail: string | undefined };
}

const [workerFile = '', probeFolder, bubblewrap] = process.argv.slice(2);
const processes = createProcesses({
  workerFile,
  probeFolder: probeFolder === '' ? undefined : probeFolder,
  bubblewrap,
});
/** A descriptor that this process would hand on to whatever it starts. */
const F_SETFD = 2;
const leaky = openSync('/etc/hostname', 'r');
(await loadKernel()).call('fcntl', leaky, F_SETFD, 0);

const running = new Map<string, { readonly started: StartedProcess; readonly ended: Promise<Ended> }>();

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'prepare':
      return processes.prepare(order.confinement);
    case 'start': {
      const started = await processes.start(order.confinement, order.request);
      running.set(order.request.operationId, { started, ended: endOf(started) });
      return { pid: started.pid, startTime: started.startTime };
    }
    case 'wait':
      return running.get(order.operationId)?.ended;
    case 'end':
      return processes.endAll(
        order.operationId,
        order.leader ?? running.get(order.operationId)?.started,
        order.waits,
      );
    case 'zombies':
      return allProcesses().filter(({ parent, state }) => parent === process.pid && state === 'Z');
    case 'level':
      return detectSandboxLevel({ workerFile, bubblewrap });
    case 'unconfined':
      return unconfined(order.file);
    case 'close':
      return processes.close();
    default:
      throw new Error('There is no such order.');
  }
}

async function endOf(started: StartedProcess): Promise<Ended> {
  const texts = started.streams.map(async ({ name, readable }) => [name, await textOf(readable)] as const);
  const exit = await started.exited;
  return { ...exit, output: Object.fromEntries(await Promise.all(texts)), denied: started.denied() };
}

async function textOf(readable: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of readable) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

/** Work on other threads of Node, outside of every scope, and a socket. */
async function unconfined(file: string): Promise<string> {
  await writeFile(file, 'still free');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.close();
  return readFile(file, 'utf8');
}

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  obey(order).then(
    (result) => process.send?.({ id, result } satisfies Reply),
    (error: unknown) => process.send?.({ id, error: describe(error) } satisfies Reply),
  );
});

function describe(error: unknown): Reply['error'] {
  if (error instanceof DeskterityError)
    return { code: error.code, message: error.message, detail: error.platformDetail };
  return { code: 'none', message: String(error), detail: error instanceof Error ? error.stack : undefined };
}
