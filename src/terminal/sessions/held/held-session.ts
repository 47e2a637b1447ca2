import type { TerminalRecord } from '../../../model/terminals/terminal-record.ts';
import type { DiskReserve } from '../../../operations/output/disk-reserve.ts';
import type { ClockPort } from '../../../ports/clock.ts';
import type { LogPort } from '../../../ports/log.ts';
import type { ProcessPort } from '../../../ports/process.ts';
import type { PseudoTerminal, PseudoTerminalPort } from '../../../ports/terminals/pseudo-terminal.ts';
import type { EndedCommand, TerminalName } from '../../../ports/terminals.ts';
import type { ShellStart } from '../../shells/shell-integration.ts';
import { isRunning } from '../../shells/command-session.ts';
import type { BoundedShellKind } from '../../shells/shell-kind.ts';
import type { ShellDriver } from '../../shells/shell-driver.ts';
import type { TerminalDisplay } from './terminal-display.ts';
import { isWaiting, type StateSampler } from './state-sampler.ts';
import type { WaitReading } from './wait-state.ts';

/** What the terminals of a holder use. */
export interface HeldTerminalParts {
  readonly processes: Pick<ProcessPort, 'endAll'> & PseudoTerminalPort;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  readonly stateFolder: string;
  /** Folder with the hooks and commands for shells; confined programs may read it. */
  readonly shellFolder: string;
  readonly reserve: DiskReserve;
  readonly holder: TerminalRecord['holder'];
  readonly onCommandEnd: (ended: EndedCommand) => void;
}

/** The parts of a terminal in its holder. */
export interface HeldSession {
  readonly name: TerminalName;
  readonly kind: BoundedShellKind;
  readonly start: Pick<ShellStart, 'files' | 'lateLine' | 'isHooked'>;
  readonly pty: Pick<PseudoTerminal, 'facts' | 'endForeground'>;
  readonly display: TerminalDisplay;
  readonly driver: ShellDriver;
  readonly sampler: StateSampler;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  /** Process of the shell, or of what replaced it. */
  readonly shellPid: () => number;
  /** Queues text for typing. */
  readonly type: (text: string) => void;
  /** Aborted when the terminal ends. */
  readonly over: AbortSignal;
}

/** The facts about a terminal that change. */
export function changingFacts({ display, driver }: HeldSession, reading: WaitReading) {
  const { state, restsOn, process } = reading;
  const { state: shell } = driver;
  const command = shell.kind === 'running' || shell.kind === 'typed' ? shell.command?.text : undefined;
  const isBusy = isRunning(shell) && state !== 'idle' && state !== 'exited';
  const isAsked = isWaiting(reading) && state !== 'full_screen';
  return {
    size: display.size,
    title: display.title,
    cwd: 'cwd' in shell ? shell.cwd : undefined,
    state,
    restsOn,
    prompt: isAsked ? display.textBeforeCursor() : undefined,
    running: isBusy ? (command ?? process?.program) : undefined,
    exitCode: driver.exitCode,
    attached: display.attachedCount,
  };
}
