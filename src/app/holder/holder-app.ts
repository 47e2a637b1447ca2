import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Confinement } from '../../model/tools/confinement.ts';
import type { OperationRecord } from '../../model/tools/operation.ts';
import { RUN_LIMITS } from '../../operations/operation-parts.ts';
import { OperationRunner } from '../../operations/operation-runner.ts';
import { DiskReserve } from '../../operations/output/disk-reserve.ts';
import { within } from '../../model/within.ts';
import { shellsFolder } from '../../operations/holder/shells-folder.ts';
import type { LogPort } from '../../ports/log.ts';
import type { OperationRequest } from '../../ports/operations.ts';
import type { Platform } from '../../ports/platform.ts';
import type { ProcessIdentityPort, ProcessPort } from '../../ports/process.ts';
import type { PseudoTerminalPort } from '../../ports/terminals/pseudo-terminal.ts';
import type {
  ClientChannel,
  ServedTerminals,
  TerminalService,
} from '../../terminal/sessions/held/serve-terminals.ts';
import type { TerminalHolderEvent } from '../../wire/terminal-protocol.ts';
import type { HolderSettings } from './holder-settings.ts';

export type { ClientChannel, ServedTerminals } from '../../terminal/sessions/held/serve-terminals.ts';

/** For each step of shutting down. */
const LEAVE_LIMIT_MS = 15_000;

/** Receives the events of a holder. */
export interface HolderListener {
  /** The record of an operation has changed on disk. */
  onOperation(operation: string, isOver: boolean): void;
  onTerminalEvent(event: TerminalHolderEvent): void;
  onTerminalEnd(): void;
}

interface Parts {
  readonly settings: HolderSettings;
  readonly platform: Pick<Platform, 'clock'>;
  readonly log: LogPort;
  readonly processes: ProcessPort & PseudoTerminalPort;
  readonly identity: ProcessIdentityPort;
}

/** Operations and terminals of one holder, without the engine and commands. */
export class HolderApp {
  private readonly parts: Parts;
  private readonly listener: HolderListener;
  private readonly reserve: DiskReserve;
  private readonly runner: OperationRunner;
  /** Loaded for the first terminal: most holders have none, and the emulator takes memory. */
  private terminals: Promise<TerminalService> | undefined;
  private terminalCount: () => number = () => 0;

  private constructor(parts: Parts, listener: HolderListener) {
    const { settings, platform, log, processes } = parts;
    this.parts = parts;
    this.listener = listener;
    this.reserve = new DiskReserve(settings.reserveFile);
    this.runner = new OperationRunner({
      parts: {
        processes,
        clock: platform.clock,
        log,
        stateFolder: settings.stateFolder,
        reserve: this.reserve,
        holder: this.holderRecord(),
        limits: RUN_LIMITS,
      },
      mostRunning: settings.mostRunning,
      onChange: ({ operation_id: operation, ended_at }) =>
        listener.onOperation(operation, ended_at !== undefined),
    });
  }

  static async open(
    parts: Pick<Parts, 'settings' | 'log'> & {
      readonly platform: Pick<Platform, 'clock' | 'confinedPrograms' | 'processIdentity'>;
    },
    listener: HolderListener,
  ): Promise<HolderApp> {
    const { platform, settings } = parts;
    const processes = await platform.confinedPrograms(settings);
    return new HolderApp({ ...parts, processes, identity: await platform.processIdentity() }, listener);
  }

  /** Number of operations and terminals that have not ended. */
  get count(): number {
    return this.runner.count + this.terminalCount();
  }

  /** Reserves disk space for the final records of operations. */
  keepReserve(): Promise<void> {
    return this.reserve.keep();
  }

  /** @throws DeskterityError SANDBOX_UNAVAILABLE */
  prepare(confinement: Confinement): Promise<void> {
    return this.parts.processes.prepare(confinement);
  }

  /** @throws DeskterityError as {@link OperationRunner.start} */
  start(request: OperationRequest): Promise<OperationRecord> {
    return this.runner.start(request);
  }

  async cancel(operation: string): Promise<void> {
    await this.runner.cancel(operation);
  }

  /** Ends an operation, even if it was started by another holder that no longer exists. */
  async end(operation: string, leader: Parameters<ProcessPort['endAll']>[1]): Promise<void> {
    if (this.runner.has(operation)) await this.runner.cancel(operation);
    else await this.parts.processes.endAll(operation, leader, RUN_LIMITS.waits);
  }

  /** Terminals for one client. @throws DeskterityError DAEMON_UNAVAILABLE */
  async terminalsFor(channel: ClientChannel): Promise<ServedTerminals> {
    this.terminals ??= this.loadTerminals();
    try {
      return (await this.terminals).serve(channel);
    } catch (error) {
      this.terminals = undefined;
      throw new DeskterityError('DAEMON_UNAVAILABLE', 'The holder could not load its terminal code.', {
        suggestion: `Another version may have replaced its files: run ${mentionCommand('daemon restart')}.`,
        platformDetail: error instanceof Error ? error.message : String(error),
        cause: error,
      });
    }
  }

  /** Ends all operations and terminals, within a time limit. */
  async endAll(): Promise<void> {
    await this.inTime(this.runner.cancelAll());
    await this.inTime(this.closeTerminals());
  }

  /** @returns `stuck` if one of its threads does not end */
  async close(): Promise<'ended' | 'stuck'> {
    return (await this.inTime(this.parts.processes.close())) ? 'ended' : 'stuck';
  }

  /** Makes sure that clients find the terminals. */
  async keepRecords(): Promise<void> {
    (await this.terminals?.catch(() => undefined))?.held.keepRecords();
  }

  private async loadTerminals(): Promise<TerminalService> {
    const { createTerminalService } = await import('../../terminal/sessions/held/serve-terminals.ts');
    const { settings, platform, log, processes } = this.parts;
    const service = createTerminalService({
      processes,
      clock: platform.clock,
      log,
      stateFolder: settings.stateFolder,
      reserve: this.reserve,
      shellFolder: shellsFolder(settings.socket),
      holder: this.holderRecord(),
      onCommandEnd: (ended) => this.listener.onTerminalEvent({ news: 'command-ended', ended }),
      onEnd: () => this.listener.onTerminalEnd(),
    });
    this.terminalCount = () => service.held.count;
    return service;
  }

  private async closeTerminals(): Promise<void> {
    await (await this.terminals)?.held.closeAll();
  }

  /** This process as it appears in every record. */
  private holderRecord(): OperationRecord['holder'] {
    const { settings, identity } = this.parts;
    const { pid, startTime, bootId } = identity.self();
    return { socket: settings.socket, pid, start_time: startTime, boot_id: bootId };
  }

  /** @returns whether the step finished in time */
  private inTime(step: Promise<void>): Promise<boolean> {
    return within(this.parts.platform.clock, step, LEAVE_LIMIT_MS).then(
      (done) => done !== undefined,
      () => true,
    );
  }
}
