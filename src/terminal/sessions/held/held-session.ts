import type { TerminalRecord } from '../../../model/terminals/terminal-record.ts';
import type { DiskReserve } from '../../../operations/output/disk-reserve.ts';
import type { ClockPort } from '../../../ports/clock.ts';
import type { LogPort } from '../../../ports/log.ts';
import type { ProcessPort } from '../../../ports/process.ts';
import type { PseudoTerminal, PseudoTerminalPort } from '../../../ports/terminals/pseudo-terminal.ts';
import type { EndedCommand, TerminalName } from '../../../ports/terminals.ts';
import type { ShellStart } from '../../shells/shell-integration.ts';
import type { BoundedShellKind } from '../../shells/shell-kind.ts';
import type { ShellTalk } from '../../shells/shell-talk.ts';
import type { TerminalDisplay } from './terminal-display.ts';
import type { TerminalLook } from './terminal-look.ts';

/** What terminals in a holder are kept with. */
export interface HeldTerminalParts {
  readonly processes: Pick<ProcessPort, 'endAll'> & PseudoTerminalPort;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  readonly stateFolder: string;
  /** Where the shells find what is ours: a folder that confined programs may be shown. */
  readonly shellFolder: string;
  readonly reserve: DiskReserve;
  readonly holder: TerminalRecord['holder'];
  readonly onCommandEnd: (ended: EndedCommand) => void;
}

/** What a terminal in the holder is made of, for whoever does something with it. */
export interface HeldSession {
  readonly name: TerminalName;
  readonly kind: BoundedShellKind;
  readonly start: Pick<ShellStart, 'lateLine' | 'isHooked'>;
  readonly pty: Pick<PseudoTerminal, 'facts' | 'endForeground'>;
  readonly display: TerminalDisplay;
  readonly talk: ShellTalk;
  readonly look: TerminalLook;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  /** Types, some time soon. */
  readonly type: (text: string) => void;
  /** Ends with the terminal. */
  readonly over: AbortSignal;
}
