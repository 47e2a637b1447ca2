import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SandboxProblem } from '../problem.ts';
import { readProcess } from '../processes/process-table.ts';
import type { FromWorker, SpawnOrder, WorkerOrder } from './worker-messages.ts';

export interface StartedChild {
  readonly pid: number;
  readonly startTime: string;
}

/** Code of a start that was given up: the thread may still come to it, with the descriptors it was given. */
export const TOO_LATE = 'ETIMEDOUT';

/** The program could not be started; `code` such as `ENOENT`. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  readonly code: string;

  constructor(code: string) {
    super(`not started: ${code}`);
    this.code = code;
  }
}

interface Waiting {
  readonly started: (child: StartedChild) => void;
  readonly failed: (error: Error) => void;
}

/** How long a worker may take to load koffi, confine itself and try whether that holds, on a machine that is busy. */
const READY_DEADLINE_MS = 30_000;
const START_DEADLINE_MS = 15_000;
const CLOSE_DEADLINE_MS = 2000;
/** Workers hold almost nothing; their share of memory slows every fork. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 };

export interface WorkerSurroundings {
  /** Called with the descriptor of the listener for denied accesses, before the worker goes on. */
  readonly onListening?: ((listener: number) => void) | undefined;
  /** Runs what starts a program of no operation; see `OperationMarks.alone`. */
  readonly alone?: ((task: () => Promise<void>) => Promise<void>) | undefined;
}

/** A thread that starts programs, which inherit what it is held to. */
export class SpawnWorker {
  /** Descriptor of the listener for denied accesses, where the worker has one. */
  readonly listener: number | undefined;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private gone = false;
  private isStuck = false;

  private constructor(worker: Worker, listener: number | undefined) {
    this.worker = worker;
    this.listener = listener;
    worker.on('message', (message: FromWorker) => this.heard(message));
    worker.on('exit', () => this.ended());
    // Its end is told by 'exit'; what went wrong in it concerns nobody else.
    worker.on('error', () => undefined);
    worker.unref();
  }

  /**
   * @param workerFile the built spawn-worker
   * @throws SandboxProblem
   */
  static async create(
    workerFile: string,
    order: Omit<WorkerOrder, 'gate'>,
    surroundings: WorkerSurroundings = {},
  ): Promise<SpawnWorker> {
    const gate = surroundings.alone && new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const worker = new Worker(workerFile, {
      workerData: { ...order, gate } satisfies WorkerOrder,
      env: {},
      execArgv: [],
      resourceLimits: LIMITS,
      // Descriptors belong to the whole process; some are opened by system calls that Node does not see.
      trackUnmanagedFds: false,
    });
    try {
      const listener = await ready(worker, { ...surroundings, gate });
      return new SpawnWorker(worker, listener);
    } catch (error) {
      // One that hangs in the kernel does not end; nobody waits for it.
      worker.terminate().catch(() => undefined);
      throw error;
    }
  }

  get isGone(): boolean {
    return this.gone;
  }

  /** @throws NotStarted, SandboxProblem when the worker ends meanwhile */
  async start(order: Omit<SpawnOrder, 'id'>): Promise<StartedChild> {
    if (this.gone) throw endedProblem();
    const id = ++this.lastId;
    this.worker.ref();
    let deadline: NodeJS.Timeout | undefined;
    try {
      return await new Promise<StartedChild>((resolve, reject) => {
        this.waiting.set(id, { started: resolve, failed: reject });
        deadline = setTimeout(() => this.giveUp(id, reject), START_DEADLINE_MS);
        this.worker.postMessage({ ...order, id } satisfies SpawnOrder, []);
      });
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Ends the thread; one that hangs in the kernel is not waited for. */
  async close(): Promise<void> {
    // It is left to say what it has started after all; nobody else knows of that.
    if (this.isStuck) return;
    await Promise.race([this.worker.terminate(), sleep(CLOSE_DEADLINE_MS, undefined, { ref: false })]);
  }

  /** Starting waits for the file of the program; a file system that does not answer holds the thread, mostly for good. */
  private giveUp(id: number, reject: (error: Error) => void): void {
    const over = () => void this.worker.terminate().catch(() => undefined);
    const started = ({ pid }: StartedChild) => {
      if (readProcess(pid)?.parent === process.pid) process.kill(pid, 'SIGKILL');
      over();
    };
    this.waiting.set(id, { started, failed: over });
    this.gone = true;
    this.isStuck = true;
    this.worker.unref();
    reject(new NotStarted(TOO_LATE));
  }

  private heard(message: FromWorker): void {
    if (message.type === 'started') {
      // Read here: where accesses are watched, the worker would wait for a look at its own. It cannot be gone: nobody collects it before he knows of it.
      const startTime = readProcess(message.pid)?.startTime ?? '';
      this.waiting.get(message.id)?.started({ pid: message.pid, startTime });
      this.waiting.delete(message.id);
    } else if (message.type === 'not-started') {
      this.waiting.get(message.id)?.failed(new NotStarted(message.code));
      this.waiting.delete(message.id);
    }
    if (this.waiting.size === 0) this.worker.unref();
  }

  private ended(): void {
    this.gone = true;
    for (const { failed } of this.waiting.values()) failed(endedProblem());
    this.waiting.clear();
  }
}

/** @returns the descriptor of its listener, where it has one */
async function ready(
  worker: Worker,
  { onListening, alone, gate }: WorkerSurroundings & { readonly gate: SharedArrayBuffer | undefined },
): Promise<number | undefined> {
  const over = new AbortController();
  let listener: number | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(() => reject(slowProblem()), READY_DEADLINE_MS);
      const heard = (message: FromWorker) => {
        if (message.type === 'listening') {
          listener = message.listener;
          onListening?.(listener);
        } else if (message.type === 'trying') {
          void alone?.(() => tried(worker, gate, over.signal));
        } else if (message.type === 'unusable') reject(new SandboxProblem(message.problem));
        else if (message.type === 'ready') resolve();
      };
      const broke = (error: unknown) => reject(brokenProblem(error));
      const ended = () => reject(endedProblem());
      worker.on('message', heard).on('error', broke).on('exit', ended);
      over.signal.addEventListener('abort', () => {
        clearTimeout(deadline);
        worker.off('message', heard).off('error', broke).off('exit', ended);
      });
    });
    return listener;
  } finally {
    over.abort();
  }
}

/** Lets a worker start what it tries its confinement with, and waits until that has ended. */
async function tried(worker: Worker, gate: SharedArrayBuffer | undefined, over: AbortSignal): Promise<void> {
  if (gate === undefined || over.aborted) return;
  await new Promise<void>((resolve) => {
    const heard = ({ type }: FromWorker) => {
      if (type === 'tried') done();
    };
    const done = () => {
      worker.off('message', heard);
      over.removeEventListener('abort', done);
      resolve();
    };
    worker.on('message', heard);
    over.addEventListener('abort', done);
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
  });
}

function endedProblem(): SandboxProblem {
  return new SandboxProblem({
    message: 'The thread that starts programs has ended.',
    suggestion: 'Try again; a new one is started.',
  });
}

function slowProblem(): SandboxProblem {
  return new SandboxProblem({
    message: `The sandbox was not ready within ${READY_DEADLINE_MS / 1000} s.`,
    suggestion: 'The machine may be overloaded; try again.',
  });
}

function brokenProblem(error: unknown): SandboxProblem {
  return new SandboxProblem(
    {
      message: 'The thread that starts programs could not begin.',
      suggestion: 'Install deskterity again: a file of it may be missing.',
      detail: error instanceof Error ? error.message : String(error),
    },
    { cause: error },
  );
}
