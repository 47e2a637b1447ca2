import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SandboxProblem } from '../problem.ts';
import { readProcess } from '../../process/facts.ts';
import type { FromWorker, SpawnOrder, WorkerOrder } from './worker-messages.ts';

export interface StartedChild {
  readonly pid: number;
  readonly startTime: string;
}

/** Code of a start that timed out: the thread may still perform it, with the descriptors it was given. */
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

/** For loading koffi, confining the thread and testing it, on a busy machine. */
const READY_DEADLINE_MS = 30_000;
const START_DEADLINE_MS = 15_000;
const CLOSE_DEADLINE_MS = 2000;
/** Workers need little memory, and unused heap slows every fork. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 };

export interface WorkerSurroundings {
  /** Called with the descriptor of the listener for denied accesses, before the worker continues. */
  readonly onListening?: ((listener: number) => void) | undefined;
  /** Runs a task that starts a program outside any operation; see `OperationMarks.alone`. */
  readonly alone?: ((task: () => Promise<void>) => Promise<void>) | undefined;
}

/** A thread that starts programs, which inherit its confinement. */
export class SpawnWorker {
  /** Descriptor of the listener for denied accesses, if there is one. */
  readonly listener: number | undefined;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private gone = false;
  private isStuck = false;

  private constructor(worker: Worker, listener: number | undefined) {
    this.worker = worker;
    this.listener = listener;
    worker.on('message', (message: FromWorker) => this.onMessage(message));
    worker.on('exit', () => this.onExit());
    // 'exit' follows every error.
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
      // Descriptors belong to the whole process, and some are opened by system calls that Node does not track.
      trackUnmanagedFds: false,
    });
    try {
      const listener = await ready(worker, { ...surroundings, gate });
      return new SpawnWorker(worker, listener);
    } catch (error) {
      // Do not wait: a thread that is blocked in the kernel does not end.
      worker.terminate().catch(() => undefined);
      throw error;
    }
  }

  get isGone(): boolean {
    return this.gone;
  }

  /** @throws NotStarted, SandboxProblem if the worker ends first */
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

  /** Ends the thread, without waiting for one that is blocked in the kernel. */
  async close(): Promise<void> {
    // It may still report a program that it started late, which must then be killed.
    if (this.isStuck) return;
    await Promise.race([this.worker.terminate(), sleep(CLOSE_DEADLINE_MS, undefined, { ref: false })]);
  }

  /** Starting reads the program's file; a file system that does not respond blocks the thread, usually forever. */
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

  private onMessage(message: FromWorker): void {
    if (message.type === 'started') {
      // Read here, as the worker's own file access may be watched. The process still exists: it is reaped only after it is reported.
      const startTime = readProcess(message.pid)?.startTime ?? '';
      this.waiting.get(message.id)?.started({ pid: message.pid, startTime });
      this.waiting.delete(message.id);
    } else if (message.type === 'not-started') {
      this.waiting.get(message.id)?.failed(new NotStarted(message.code));
      this.waiting.delete(message.id);
    }
    if (this.waiting.size === 0) this.worker.unref();
  }

  private onExit(): void {
    this.gone = true;
    for (const { failed } of this.waiting.values()) failed(endedProblem());
    this.waiting.clear();
  }
}

/** Waits until a worker is ready. @returns the descriptor of its listener, if it has one */
async function ready(
  worker: Worker,
  { onListening, alone, gate }: WorkerSurroundings & { readonly gate: SharedArrayBuffer | undefined },
): Promise<number | undefined> {
  const over = new AbortController();
  let listener: number | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(() => reject(slowProblem()), READY_DEADLINE_MS);
      const onMessage = (message: FromWorker) => {
        if (message.type === 'listening') {
          listener = message.listener;
          onListening?.(listener);
        } else if (message.type === 'trying') {
          void alone?.(() => tried(worker, gate, over.signal));
        } else if (message.type === 'unusable') reject(new SandboxProblem(message.problem));
        else if (message.type === 'ready') resolve();
      };
      const onError = (error: unknown) => reject(brokenProblem(error));
      const onExit = () => reject(endedProblem());
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      over.signal.addEventListener('abort', () => {
        clearTimeout(deadline);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      });
    });
    return listener;
  } finally {
    over.abort();
  }
}

/** Lets a worker start its test program, and waits until that has exited. */
async function tried(worker: Worker, gate: SharedArrayBuffer | undefined, over: AbortSignal): Promise<void> {
  if (gate === undefined || over.aborted) return;
  await new Promise<void>((resolve) => {
    const onMessage = ({ type }: FromWorker) => {
      if (type === 'tried') done();
    };
    const done = () => {
      worker.off('message', onMessage);
      over.removeEventListener('abort', done);
      resolve();
    };
    worker.on('message', onMessage);
    over.addEventListener('abort', done);
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
  });
}

function endedProblem(): SandboxProblem {
  return new SandboxProblem({
    message: 'The thread that starts programs has ended.',
    suggestion: 'Try again; a new one will be started.',
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
      message: 'The thread that starts programs could not start.',
      suggestion: 'Reinstall deskterity: one of its files may be missing.',
      detail: error instanceof Error ? error.message : String(error),
    },
    { cause: error },
  );
}
