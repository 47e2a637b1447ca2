import { rm } from 'node:fs/promises';
import type { OperationRecord } from '../model/tools/operation.ts';
import { isOver } from '../model/tools/operation-status.ts';
import type { OperationRequest } from '../ports/operations.ts';
import type { ProcessExit, StartedProcess } from '../ports/process.ts';
import { firstRecord, outcomeOf, withStep, startProblem } from './operation-changes.ts';
import { makeOperationFolder } from './operation-folder.ts';
import type { OperationParts } from './operation-parts.ts';
import { OutputStore, pumpOutput, type Pump } from './output/output-store.ts';
import { outputFolder } from './record-folders.ts';
import { RecordKeeper } from './record-keeper.ts';
import { within } from '../model/within.ts';
import { errorCode } from '../model/error-code.ts';
import { DeskterityError } from '../model/effects/errors.ts';

/** Why an operation ends before its last step. */
type Interruption = 'timed_out' | 'cancelled';

type StepResult =
  | { readonly kind: 'ended'; readonly exit: ProcessExit }
  | { readonly kind: 'interrupted'; readonly exit?: ProcessExit | undefined }
  | { readonly kind: 'not started'; readonly error: unknown };

/** The longest timer that Node supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * One operation, which runs its steps in order until one fails: starting → running → succeeded, failed, timed_out or cancelled. Every change
 * is on disk before it is reported. All its processes have exited when it ends.
 */
export class Operation {
  readonly id: string;
  private readonly parts: OperationParts;
  private readonly request: OperationRequest;
  private readonly folder: string;
  private readonly keeper: RecordKeeper;
  private readonly store: OutputStore;
  private readonly interrupted = new AbortController();
  private readonly pumps: Pump[] = [];
  private interruption: Interruption | undefined;
  private leader: StartedProcess | undefined;
  /** Ends a process that started after the time limit or an interruption. */
  private late: Promise<void> | undefined;
  private readonly problems: string[] = [];
  private isAllEnded = false;

  private constructor(
    parts: OperationParts,
    request: OperationRequest,
    place: ReturnType<typeof makeOperationFolder>,
  ) {
    this.parts = parts;
    this.request = request;
    this.id = place.id;
    this.folder = place.folder;
    this.store = new OutputStore({
      folder: outputFolder(place.folder),
      budgetBytes: request.budgetBytes,
    });
    this.keeper = new RecordKeeper(parts, place.folder, firstRecord(parts, request, place.id));
  }

  /** Records a new operation as `starting`. @throws DeskterityError ACTION_FAILED if the state folder is not writable */
  static async create(parts: OperationParts, request: OperationRequest): Promise<Operation> {
    let folder: string | undefined;
    try {
      const place = makeOperationFolder(parts.stateFolder);
      folder = place.folder;
      const operation = new Operation(parts, request, place);
      operation.keeper.begin();
      return operation;
    } catch (error) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      throw noRecord(parts.stateFolder, error);
    }
  }

  get record(): OperationRecord {
    return this.keeper.record;
  }

  /**
   * Runs the steps. Resolves when the operation has ended and all its processes have exited.
   * @param onStarted called when the first command runs, or waits for its delay
   * @throws the error if the first command could not be started, which is also in the record
   */
  async run(onStarted: () => void): Promise<void> {
    if (isOver(this.record.status)) return;
    const timer = this.startTimer();
    let result: StepResult = { kind: 'interrupted' };
    let index = 0;
    try {
      for (; index < this.request.steps.length; index += 1) {
        result = await this.runStep(index, onStarted);
        if (result.kind !== 'ended' || result.exit.exitCode !== 0) break;
      }
    } catch (error) {
      result = { kind: 'not started', error };
    } finally {
      clearTimeout(timer);
    }
    await this.finish(result, index);
    if (result.kind === 'not started' && index === 0) throw result.error;
  }

  /** Ends the operation early; {@link run} resolves when it has ended. */
  interrupt(why: Interruption): void {
    if (this.interruption !== undefined || isOver(this.record.status)) return;
    this.interruption = why;
    this.interrupted.abort();
  }

  /** Ends an operation that was interrupted before {@link run}. */
  async skip(): Promise<void> {
    await this.finish({ kind: 'interrupted' }, 0);
  }

  /** Removes its folder. */
  async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }

  private startTimer(): NodeJS.Timeout | undefined {
    const { timeoutMs } = this.request;
    if (timeoutMs === undefined) return undefined;
    return setTimeout(() => this.interrupt('timed_out'), Math.min(timeoutMs, LONGEST_TIMER_MS));
  }

  private async runStep(index: number, onStarted: () => void): Promise<StepResult> {
    const step = this.request.steps[index];
    if (step === undefined || this.interruption !== undefined) return { kind: 'interrupted' };
    const { delayMs = 0 } = step;
    if (delayMs > 0) {
      if (index === 0) await this.keeper.change({ status: 'running' });
      onStarted();
      await this.untilInterrupted(this.parts.clock.sleep(delayMs, this.interrupted.signal));
      if (this.interrupted.signal.aborted) return { kind: 'interrupted' };
    }
    const started = await this.startStep(index).catch((error: unknown) => ({ error }));
    if (started === undefined) return { kind: 'interrupted' };
    if ('error' in started) return { kind: 'not started', error: started.error };
    this.leader = started;
    const pump = pumpOutput(started, this.store);
    this.pumps.push(pump);
    await this.keeper.change({
      status: 'running',
      steps: withStep(this.record.steps, index, { status: 'running' }),
      process: { pid: started.pid, start_time: started.startTime },
    });
    onStarted();
    const exited = started.exited.catch(() => ({ exitCode: undefined, signal: undefined }));
    const ended = await this.untilInterrupted(exited);
    if (ended === undefined) return { kind: 'interrupted', exit: await this.endInterrupted(started) };
    await this.drain(pump);
    await this.noteDenied(started);
    const isLast = index + 1 === this.request.steps.length || ended.value.exitCode !== 0;
    // The last step is reported together with the end.
    if (!isLast) {
      const steps = withStep(this.record.steps, index, { status: 'succeeded', exit_code: 0 });
      await this.keeper.change({ steps });
    }
    return { kind: 'ended', exit: ended.value };
  }

  /** @returns `undefined` if it was interrupted; a process that starts later is ended */
  private async startStep(index: number): Promise<StartedProcess | undefined> {
    const { processes, clock, limits } = this.parts;
    const { steps, output } = this.request;
    const step = steps[index];
    if (step === undefined) return undefined;
    const { command, cwd, environment, confinement } = step;
    const start = processes.start(confinement, { command, cwd, environment, output, operationId: this.id });
    const started = await within(clock, this.untilInterrupted(start), limits.startMs);
    if (started?.value !== undefined) return started.value.value;
    this.late = this.endLate(start);
    if (started === undefined) throw tooLong(command[0], limits.startMs);
    return undefined;
  }

  /** Ends a process that starts too late. */
  private async endLate(start: Promise<StartedProcess>): Promise<void> {
    const late = await start.catch(() => undefined);
    if (late === undefined) return;
    for (const { readable } of late.streams) readable.destroy();
    await this.endAll(late);
  }

  /** A process can be ended only once it has started. */
  private async awaitLate(): Promise<void> {
    const { clock, limits } = this.parts;
    const limitMs = limits.waits.interruptMs + limits.waits.terminateMs + limits.settleMs;
    if (this.late !== undefined && (await within(clock, this.late, limitMs)) === undefined)
      this.problems.push('A command had not started by then; it will be ended as soon as it starts.');
  }

  /** Ends the running processes. @returns the exit, if there was one in time */
  private async endInterrupted(started: StartedProcess): Promise<ProcessExit | undefined> {
    await this.endAll(started);
    this.isAllEnded = true;
    const exit = await within(this.parts.clock, started.exited, this.parts.limits.settleMs);
    await this.noteDenied(started);
    if (exit === undefined) this.problems.push(`Process ${started.pid} was killed but has not exited.`);
    return exit?.value;
  }

  /** Waits for the rest of the output; longer only while a process that has the pipe open keeps writing. */
  private async drain(pump: Pump): Promise<void> {
    const { clock, limits } = this.parts;
    const end = clock.now() + limits.settleMs;
    do {
      if ((await within(clock, pump.drained, limits.drainMs)) !== undefined) return;
    } while (pump.hasMoved() && clock.now() < end);
  }

  private async noteDenied(started: StartedProcess): Promise<void> {
    const denied = started.denied();
    if (denied.length > 0) await this.keeper.change({ denied: [...(this.record.denied ?? []), ...denied] });
  }

  private async finish(result: StepResult, index: number): Promise<void> {
    const { clock, limits } = this.parts;
    const left =
      this.leader === undefined || this.isAllEnded ? 0 : await this.endAll(this.leader, limits.leftoverWaits);
    await this.awaitLate();
    const drained = Promise.all(this.pumps.map((pump) => pump.drained));
    if ((await within(clock, drained, limits.settleMs)) === undefined) {
      for (const pump of this.pumps) pump.stop();
      this.problems.push('The end of its output may be missing: a process still had the pipe open.');
      await within(clock, drained, limits.settleMs);
    }
    await this.store.close();
    if (result.kind === 'not started') this.problems.push(startProblem(result.error));
    if (this.store.problem !== undefined) this.problems.push(this.store.problem);
    const exit = result.kind === 'not started' ? undefined : result.exit;
    await this.keeper.change({
      ...outcomeOf(this.record.steps, index, {
        // An interruption is too late if the last command exited on its own.
        interruption: result.kind === 'interrupted' ? this.interruption : undefined,
        exit,
        isStarted: result.kind !== 'not started',
      }),
      ended_at: new Date().toISOString(),
      ...(left > 0 ? { left_behind: left } : {}),
      ...(this.problems.length > 0 ? { problem: this.problems.join(' ') } : {}),
    });
  }

  private async endAll({ pid, startTime }: StartedProcess, waits = this.parts.limits.waits): Promise<number> {
    const { processes, clock, limits, log } = this.parts;
    const limitMs = waits.interruptMs + waits.terminateMs + limits.settleMs;
    try {
      const ended = await within(clock, processes.endAll(this.id, { pid, startTime }, waits), limitMs);
      if (ended !== undefined) return ended.value;
      this.problems.push('Some of its processes may still be running: they could not be ended in time.');
    } catch (error) {
      this.problems.push('Some of its processes may still be running: they could not be ended.');
      const name = error instanceof Error ? error.name : 'unknown';
      log.write({
        level: 'error',
        message: 'processes could not be ended',
        fields: { operation: this.id, name },
      });
    }
    return 0;
  }

  /**
   * The result of `step`, or `undefined` if the operation is interrupted first. What has already happened came first, even if a slow disk has kept us from
   * noticing it.
   */
  private async untilInterrupted<T>(step: Promise<T>): Promise<{ readonly value: T } | undefined> {
    const { signal } = this.interrupted;
    let stop = () => {};
    const interrupted = new Promise<undefined>((resolve) => {
      stop = () => setImmediate(() => resolve(undefined));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    const settled = step.then(
      (value) => ({ value }),
      (error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      },
    );
    try {
      return await Promise.race([settled, interrupted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** The state folder is not writable. */
function noRecord(stateFolder: string, error: unknown): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `No operation can be recorded in ${stateFolder}.`, {
    suggestion: 'Free disk space there, or set XDG_STATE_HOME to a writable folder.',
    platformDetail: errorCode(error) ?? String(error),
    delivered: false,
    cause: error,
  });
}

/** A program did not start in time. */
function tooLong(program: string, limitMs: number): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `${program} did not start within ${limitMs} ms.`, {
    suggestion: 'Check whether the machine is overloaded, then try again.',
    retryable: true,
  });
}
