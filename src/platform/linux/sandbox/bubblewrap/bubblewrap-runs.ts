import { byPerson } from '../../../../model/text/mention.ts';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { writeSync } from 'node:fs';
import type { Confinement } from '../../../../model/tools/confinement.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { StartRequest } from '../../../../ports/process.ts';
import { findProgram, isExecutable } from '../../../node/find-program.ts';
import { BoundPlaces, bindsDescriptors, checkedInside } from './bound-places.ts';
import { bubblewrapCommand } from './bubblewrap.ts';
import { requireSamePlaces } from '../open-place.ts';
import { callFilter } from '../seccomp/call-policy.ts';
import { confinementPlan } from '../confinement-plan.ts';
import { childProbe, judgeChildProbe, requireNoneSucceeded } from '../levels/functional-probe.ts';
import { launch, type Launched } from '../start-program.ts';
import { makeCanary, removeCanary } from '../levels/probe-canary.ts';
import { SandboxProblem } from '../problem.ts';
import type { Runtime } from './runtime.ts';
import { sendSignal } from '../processes/end-processes.ts';
import type { SpawnWorker } from '../workers/spawner.ts';
import type { SystemReads } from '../landlock/system-reads.ts';
import type { Kernel } from '../libc-library.ts';

const SYSTEM_FOLDERS = '/usr/local/bin:/usr/bin:/bin';
const PROBE_DEADLINE_MS = 10_000;

/** The installed bubblewrap; a PATH from elsewhere is never searched. */
export function findBubblewrap(): string | undefined {
  return findProgram('bwrap', SYSTEM_FOLDERS);
}

export interface BubblewrapRun {
  readonly runtime: Runtime;
  /** An unconfined one: nothing can be mounted under Landlock. */
  readonly worker: SpawnWorker;
  /** Path of bwrap. */
  readonly program: string;
  readonly confinement: Confinement;
  readonly system: SystemReads;
}

/** @throws SandboxProblem, DeskterityError ACTION_FAILED */
export async function startInBubblewrap(run: BubblewrapRun, request: StartRequest): Promise<Launched> {
  return inBubblewrap(run, request, (changes, descriptors) =>
    launch(run.runtime, run.worker, { ...request, ...changes }, descriptors),
  );
}

/**
 * Starts bubblewrap with a program.
 * @param start receives the command, and the descriptors to pass from `FILTER_DESCRIPTOR` on
 * @throws SandboxProblem, DeskterityError ACTION_FAILED
 */
export async function inBubblewrap<T>(
  { runtime, program, confinement, system }: BubblewrapRun,
  request: Pick<StartRequest, 'command' | 'cwd' | 'environment'>,
  start: (changes: Pick<StartRequest, 'command' | 'cwd'>, descriptors: readonly number[]) => Promise<T>,
): Promise<T> {
  requireProgram(request);
  const filter = callFilter(runtime.kernel.architecture, { ...confinement, notify: false });
  const descriptor = memoryFile(runtime.kernel, 'system-call-filter', filter);
  const places = new BoundPlaces();
  try {
    if (bindsDescriptors(program)) places.open(confinement);
    else requireSamePlaces(confinement);
    const asked = places.isOpen ? request.command : checkedInside(confinement, request.command);
    const command = bubblewrapCommand(program, confinement, system, asked, {
      cwd: request.cwd,
      descriptors: places.numbers,
    });
    return await start({ command, cwd: '/' }, [descriptor, ...places.descriptors]);
  } finally {
    places.close();
    runtime.kernel.call('close', descriptor);
  }
}

/** Tries forbidden actions in a real program. @throws SandboxProblem naming those that succeeded */
export async function probeBubblewrap(run: BubblewrapRun, probeFolder: string | undefined): Promise<void> {
  const { paths } = confinementPlan(run.confinement, run.system.rules);
  const canary = await makeCanary(paths, probeFolder);
  const operationId = `probe-${randomUUID()}`;
  let deadline: NodeJS.Timeout | undefined;
  try {
    const probe = childProbe(canary, { process: process.pid, thread: process.pid });
    const started = await startInBubblewrap(run, {
      ...probe,
      cwd: '/',
      output: 'merged',
      operationId,
    });
    deadline = setTimeout(() => sendSignal(run.runtime.kernel, started, 'SIGKILL'), PROBE_DEADLINE_MS);
    const [output] = await Promise.all(started.streams.map(async ({ readable }) => text(readable)));
    await started.exited;
    requireNoneSucceeded(judgeChildProbe(output ?? ''));
  } finally {
    clearTimeout(deadline);
    run.runtime.marks.forget(operationId);
    await removeCanary(canary);
  }
}

/** Otherwise bubblewrap itself would start, and the error would only appear in the program's output. */
function requireProgram({
  command: [program],
  environment,
}: Pick<StartRequest, 'command' | 'environment'>): void {
  const found = program.includes('/')
    ? isExecutable(program)
    : findProgram(program, environment['PATH'] ?? SYSTEM_FOLDERS) !== undefined;
  if (found) return;
  throw new DeskterityError('ACTION_FAILED', `The program ${program} was not found.`, {
    suggestion: `${byPerson('Install it')}, or pass its full path.`,
    platformDetail: 'ENOENT',
  });
}

/** @throws SandboxProblem */
export function requireBubblewrap(program: string | undefined): string {
  if (program !== undefined) return program;
  throw new SandboxProblem({
    message: 'This sandbox needs bubblewrap, which is not installed.',
    suggestion: `${byPerson('Install the package "bubblewrap", or use the Landlock sandbox')}.`,
  });
}

const MFD_CLOEXEC = 1;

/** A memory file with `content`, whose descriptor reads from the start. @throws SandboxProblem */
function memoryFile(kernel: Kernel, name: string, content: Uint8Array): number {
  const descriptor = kernel.call('memfd_create', Buffer.from(`${name}\0`), MFD_CLOEXEC);
  if (descriptor < 0) {
    throw new SandboxProblem({
      message: 'A memory file for the sandbox could not be created.',
      suggestion: 'Too many files are open; cancel some operations.',
      detail: kernel.describe('memfd_create', descriptor),
    });
  }
  // With an explicit position, which leaves the file offset at 0.
  writeSync(descriptor, content, 0, content.length, 0);
  return descriptor;
}
