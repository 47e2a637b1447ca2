import { confinementKey, type Confinement } from '../../../../model/tools/confinement.ts';
import type { DeniedAccess } from '../../../../model/tools/operation.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type {
  EndWaits,
  ProcessExit,
  ProcessPort,
  StartedProcess,
  StartRequest,
} from '../../../../ports/process.ts';
import type {
  PseudoTerminal,
  PseudoTerminalPort,
  TerminalStartRequest,
} from '../../../../ports/terminals/pseudo-terminal.ts';
import type { StartedLeader } from '../../terminal/linux-terminal.ts';
import { openTerminal } from '../../terminal/open-terminal.ts';
import { begin, launch, type Begun, type Launched } from '../start-program.ts';
import {
  findBubblewrap,
  inBubblewrap,
  probeBubblewrap,
  requireBubblewrap,
  startInBubblewrap,
} from '../bubblewrap/bubblewrap-runs.ts';
import type { BubblewrapRun } from '../bubblewrap/bubblewrap-runs.ts';
import { DenyReports, type DenyReport } from '../seccomp/deny-reports.ts';
import { endProcesses } from './end-processes.ts';
import { landlockWorkers, requirePlaces } from '../landlock/landlock-workers.ts';
import { OperationLedger } from './operation-ledger.ts';
import type { Leader } from './operation-processes.ts';
import { placeStamp, systemReads, type SystemReads } from '../landlock/system-reads.ts';
import { problemOf } from '../problem.ts';
import { requireSamePlaces } from '../open-place.ts';
import { openRuntime, type Runtime } from '../bubblewrap/runtime.ts';
import { SpawnWorker } from '../workers/spawner.ts';
import { WorkerPool, type WorkerKind } from '../workers/worker-pool.ts';

export interface ProcessesOptions {
  /** The built `spawn-worker.js`. */
  readonly workerFile: string;
  /** Folder for the canary file that tests the sandbox; outside every scope, if possible. */
  readonly probeFolder?: string | undefined;
  /** Path of bwrap; default the installed one. */
  readonly bubblewrap?: string | undefined;
}

/** Starts confined programs on Linux, also in terminals. Changes this process: it adopts orphans, and its user can no longer debug it. */
export function createProcesses(options: ProcessesOptions): ProcessPort & PseudoTerminalPort {
  return new LinuxProcesses(options);
}

interface Ready {
  readonly runtime: Runtime;
  readonly ledger: OperationLedger;
}

class LinuxProcesses implements ProcessPort, PseudoTerminalPort {
  private readonly options: ProcessesOptions;
  private readonly pool = new WorkerPool<SpawnWorker>();
  private readonly reads = new Map<string, Promise<SystemReads>>();
  private readonly probed = new Set<string>();
  private opening: Promise<Ready> | undefined;
  private unconfined: Promise<SpawnWorker> | undefined;
  private reports: DenyReports | undefined;

  constructor(options: ProcessesOptions) {
    this.options = options;
  }

  async prepare(confinement: Confinement): Promise<void> {
    return available(async () => {
      const { runtime } = await this.ready();
      if (confinement.by === 'landlock') await this.pool.prepare(this.workersFor(confinement, runtime));
      else if (confinement.by === 'bubblewrap') await this.bubblewrapRun(confinement);
      else await this.unconfinedWorker();
    });
  }

  async start(confinement: Confinement, request: StartRequest): Promise<StartedProcess> {
    return available(async () => {
      const { ledger } = await this.ready();
      const { operationId } = request;
      let begun = false;
      try {
        let report: DenyReport | undefined;
        const started = await this.launchBy(confinement, request, (worker) => {
          ledger.begin(operationId, worker);
          begun = true;
          if (worker?.listener !== undefined) report = this.reports?.begin(worker.listener);
        });
        const exited = this.endOf(started, report).finally(() => ledger.end(operationId));
        return { ...started, exited, denied: (): readonly DeniedAccess[] => report?.denied() ?? [] };
      } catch (error) {
        if (begun) ledger.end(operationId);
        throw error;
      }
    });
  }

  async open(confinement: Confinement, request: TerminalStartRequest): Promise<PseudoTerminal> {
    return available(async () => {
      const { runtime, ledger } = await this.ready();
      return openTerminal(runtime, ledger, request, (terminal) =>
        this.beginIn(terminal, confinement, request, runtime),
      );
    });
  }

  async endAll(operationId: string, leader: Leader | undefined, waits: EndWaits): Promise<number> {
    return available(async () => {
      const { runtime, ledger } = await this.ready();
      const find = () => ledger.processes(operationId, leader);
      try {
        return await endProcesses(runtime.kernel, find, waits);
      } finally {
        ledger.settleAll();
      }
    });
  }

  async close(): Promise<void> {
    await this.pool.close();
    const worker = await this.unconfined?.catch(() => undefined);
    await worker?.close();
    this.reports?.close();
    const ready = await this.opening?.catch(() => undefined);
    ready?.runtime.reaper.close();
  }

  /** Resolves once the program has exited and all its denied accesses are known. */
  private async endOf(started: Begun, report: DenyReport | undefined): Promise<ProcessExit> {
    const exit = await started.exited;
    if (report !== undefined) await this.reports?.flush();
    return exit;
  }

  private async launchBy(
    confinement: Confinement,
    request: StartRequest,
    begin: (worker: SpawnWorker | undefined) => void,
  ): Promise<Launched> {
    const { runtime, ledger } = await this.ready();
    if (confinement.by === 'landlock') {
      ledger.settleAll();
      const worker = await this.pool.take(this.workersFor(confinement, runtime));
      begin(worker);
      return launch(runtime, worker, request);
    }
    if (confinement.by === 'bubblewrap') {
      const run = await this.bubblewrapRun(confinement);
      begin(undefined);
      return startInBubblewrap(run, request);
    }
    const worker = await this.unconfinedWorker();
    requireSamePlaces(confinement);
    begin(undefined);
    return launch(runtime, worker, request);
  }

  private async beginIn(
    terminal: string,
    confinement: Confinement,
    request: TerminalStartRequest,
    runtime: Runtime,
  ): Promise<StartedLeader> {
    const denied = (): readonly DeniedAccess[] => [];
    if (confinement.by === 'bubblewrap') {
      const run = await this.bubblewrapRun(confinement);
      const leader = await inBubblewrap(run, request, (changes, descriptors) =>
        begin(runtime, run.worker, { ...request, ...changes }, { descriptors, terminal }),
      );
      return { leader, denied, isWrapped: true };
    }
    if (confinement.by === 'none') {
      const worker = await this.unconfinedWorker();
      requireSamePlaces(confinement);
      const leader = await begin(runtime, worker, request, { descriptors: [], terminal });
      return { leader, denied, isWrapped: false };
    }
    // A separate worker, as its rules allow exactly this terminal.
    const worker = await this.workersFor(confinement, runtime, terminal).make();
    try {
      const report = worker.listener === undefined ? undefined : this.reports?.begin(worker.listener);
      const leader = await begin(runtime, worker, request, { descriptors: [], terminal });
      const exited = this.endOf(leader, report);
      return { leader: { ...leader, exited }, denied: () => report?.denied() ?? [], isWrapped: false };
    } finally {
      worker.close().catch(() => undefined);
    }
  }

  private async ready(): Promise<Ready> {
    this.opening ??= openRuntime().then((runtime) => ({
      runtime,
      ledger: new OperationLedger(runtime, (worker) => this.pool.release(worker)),
    }));
    // A missing requirement may be met next time.
    this.opening.catch(() => (this.opening = undefined));
    return this.opening;
  }

  private workersFor(
    confinement: Confinement,
    { kernel, marks }: Runtime,
    terminal?: string,
  ): WorkerKind<SpawnWorker> {
    return landlockWorkers(confinement, {
      terminal,
      workerFile: this.options.workerFile,
      probeFolder: this.options.probeFolder,
      systemReads: async ({ network }) => this.systemReads(network),
      alone: (task) => marks.alone(task),
      reports: () => {
        if (this.reports === undefined || this.reports.isGone)
          this.reports = new DenyReports(kernel, this.options.workerFile);
        return this.reports;
      },
    });
  }

  private async bubblewrapRun(confinement: Confinement): Promise<BubblewrapRun> {
    const program = requireBubblewrap(this.options.bubblewrap ?? findBubblewrap());
    await requirePlaces([confinement.scope, ...confinement.write]);
    const { runtime } = await this.ready();
    const run = {
      runtime,
      worker: await this.unconfinedWorker(),
      program,
      confinement,
      system: await this.systemReads(confinement.network),
    };
    const key = `${program} ${confinementKey(confinement)}`;
    if (!this.probed.has(key)) await probeBubblewrap(run, this.options.probeFolder);
    this.probed.add(key);
    return run;
  }

  private async unconfinedWorker(): Promise<SpawnWorker> {
    const known = this.unconfined;
    const current = await known?.catch(() => undefined);
    const isUsable = current !== undefined && !current.isGone;
    // A concurrent call may have created another one.
    if (!isUsable && this.unconfined === known)
      this.unconfined = SpawnWorker.create(this.options.workerFile, {});
    return this.unconfined ?? this.unconfinedWorker();
  }

  /** Surveyed again after settings change. */
  private async systemReads(network: boolean): Promise<SystemReads> {
    const key = `${network} ${placeStamp([])}`;
    const known = this.reads.get(key);
    if (known !== undefined) return known;
    this.reads.clear();
    const looking = systemReads({ network });
    this.reads.set(key, looking);
    return looking;
  }
}

/** @throws DeskterityError SANDBOX_UNAVAILABLE for any error that is not yet a DeskterityError */
async function available<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof DeskterityError) throw error;
    const { message, suggestion, detail, isReplaced = false } = problemOf(error);
    throw new DeskterityError(isReplaced ? 'POLICY_DENIED' : 'SANDBOX_UNAVAILABLE', message, {
      suggestion,
      ...(isReplaced ? { delivered: false } : {}),
      ...(detail === undefined ? {} : { platformDetail: detail }),
      cause: error,
    });
  }
}
