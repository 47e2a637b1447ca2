import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { confineThread } from '../landlock/confine-thread.ts';
import { observe } from '../seccomp/deny-observer.ts';
import { probeConfinement } from '../levels/functional-probe.ts';
import { probeLevel, type LevelOrder } from '../levels/level-probe.ts';
import { loadKernel, type Kernel } from '../libc-library.ts';
import { posixSpawn, type PosixSpawn } from '../processes/posix-spawn.ts';
import { problemOf } from '../problem.ts';
import type { FromWorker, SpawnOrder, WorkerOrder } from './worker-messages.ts';

/** Entry point of a worker thread: confines itself, tests the confinement, then starts programs, which inherit it. */

const CLOSE_ON_EXEC = 1 << 2;
/** Each start takes milliseconds; shorter than the deadline of this worker's creator. */
const GATE_DEADLINE_MS = 25_000;
const EVERY_LATER_DESCRIPTOR = 0x7fffffff;

async function begin(port: MessagePort, order: WorkerOrder): Promise<void> {
  const post = (message: FromWorker) => port.postMessage(message);
  try {
    const kernel = await loadKernel();
    if (order.observe !== undefined) observe(kernel, port, order.observe);
    if (order.plan !== undefined) {
      const { confinement, canary } = order.plan;
      const listener = confineThread(kernel, confinement);
      if (listener !== undefined) post({ type: 'listening', listener });
      probeConfinement(kernel, { plan: confinement, canary }, whenAlone(post, order.gate));
    }
    const spawn = posixSpawn(kernel);
    port.on('message', (request: SpawnOrder) => post(start(kernel, spawn, request)));
    post({ type: 'ready' });
  } catch (error) {
    post({ type: 'unusable', problem: problemOf(error) });
  }
}

/** The test program must not inherit the mark of an operation that is starting, or it would be ended with that operation. */
function whenAlone(
  post: (message: FromWorker) => void,
  gate: SharedArrayBuffer | undefined,
): (task: () => string[]) => string[] {
  return (task) => {
    if (gate === undefined) return task();
    post({ type: 'trying' });
    Atomics.wait(new Int32Array(gate), 0, 0, GATE_DEADLINE_MS);
    try {
      return task();
    } finally {
      post({ type: 'tried' });
    }
  };
}

function start(kernel: Kernel, spawn: PosixSpawn, order: SpawnOrder): FromWorker {
  // Do not pass on descriptors that this process inherited.
  kernel.call('close_range', 3, EVERY_LATER_DESCRIPTOR, CLOSE_ON_EXEC);
  const pid = spawn(order);
  if (pid < 0) return { type: 'not-started', id: order.id, code: kernel.errorName(-pid) };
  return { type: 'started', id: order.id, pid };
}

if (parentPort === null) {
  // Run as a program: reports what this machine supports.
  const order = JSON.parse(process.argv[2] ?? '{}') as LevelOrder;
  process.stdout.write(`${JSON.stringify(await probeLevel(order))}\n`);
} else {
  const order: WorkerOrder = workerData;
  await begin(parentPort, order);
}
