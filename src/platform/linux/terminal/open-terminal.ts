import { readFileSync } from 'node:fs';
import type { EndWaits } from '../../../ports/process.ts';
import type { TerminalStartRequest } from '../../../ports/terminals/pseudo-terminal.ts';
import { mayStillStart, startFailure, type Begun } from '../sandbox/start-program.ts';
import { endProcesses } from '../sandbox/processes/end-processes.ts';
import type { OperationLedger } from '../sandbox/processes/operation-ledger.ts';
import type { Runtime } from '../sandbox/bubblewrap/runtime.ts';
import type { ProcessEntry } from '../process/facts.ts';
import { foregroundProcesses, programOf, groupMembers } from './foreground-processes.ts';
import { LinuxTerminal, type StartedLeader } from './linux-terminal.ts';
import { closePty, foregroundGroup, openPty, type Pty } from './pty.ts';

/**
 * Opens a terminal and starts its session leader.
 * @param start receives the path of the terminal
 * @throws SandboxProblem, DeskterityError ACTION_FAILED
 */
export async function openTerminal(
  runtime: Runtime,
  ledger: OperationLedger,
  request: TerminalStartRequest,
  start: (terminal: string) => Promise<StartedLeader>,
): Promise<LinuxTerminal> {
  const { operationId } = request;
  const pty = openPty(runtime.kernel, request.size);
  ledger.begin(operationId, undefined);
  try {
    const { leader, denied, isWrapped } = await start(pty.path);
    const exited = leader.exited.finally(() => ledger.end(operationId));
    const endForeground = async (waits: EndWaits, since?: Date) =>
      endForegroundOf(pty, leader, waits, {
        all: () => ledger.processes(operationId, leader),
        isWrapped,
        since,
      });
    return new LinuxTerminal({ pty, leader: { ...leader, exited }, denied, isWrapped, endForeground });
  } catch (error) {
    ledger.end(operationId);
    // While the program may still start, the terminal's number must not be reused for another one.
    if (!mayStillStart(error)) closePty(pty);
    throw startFailure(request, error);
  }
}

interface Ending {
  /** The running processes of the operation. */
  readonly all: () => readonly ProcessEntry[];
  readonly isWrapped: boolean;
  readonly since: Date | undefined;
}

async function endForegroundOf(
  pty: Pty,
  leader: Begun,
  waits: EndWaits,
  { all, isWrapped, since }: Ending,
): Promise<number> {
  const program = programOf(all(), leader.pid, isWrapped);
  if (program === undefined) return 0;
  const found = foregroundGroup(pty);
  // A shell that waits for a command, or runs a builtin, is itself in the foreground.
  const group = found === leader.pid || found === program ? undefined : found;
  if (group === undefined && since === undefined) return 0;
  const members = group === undefined ? [] : groupMembers(group, leader.pid);
  const starts = members.map(({ startTime }) => Number(startTime));
  if (since !== undefined) starts.push(ticksOf(since));
  const foreground = { group, since: Math.min(...starts) };
  const find = () => foregroundProcesses(all(), foreground, program, leader.pid, process.pid);
  return endProcesses(pty.kernel, find, waits);
}

/** USER_HZ: fixed in the kernel's interface, whatever its internal tick. */
const TICKS_PER_SECOND = 100;

/** Clock ticks since boot, the unit of process start times. */
function ticksOf(time: Date): number {
  const [upSeconds = ''] = readFileSync('/proc/uptime', 'utf8').split(' ');
  const agoSeconds = (Date.now() - time.getTime()) / 1000;
  return Math.floor((Number(upSeconds) - agoSeconds) * TICKS_PER_SECOND);
}
