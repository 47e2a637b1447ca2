import type { TerminalFactsView } from '../../../ports/terminals.ts';
import type { HeldSession } from './held-session.ts';
import { isRunning } from '../../shells/reach-prompt.ts';
import { isWaiting } from './state-sampler.ts';
import type { WaitReading } from './wait-state.ts';

type Passing =
  | 'size'
  | 'title'
  | 'cwd'
  | 'state'
  | 'restsOn'
  | 'prompt'
  | 'running'
  | 'exitCode'
  | 'attached';

/** The facts about a terminal that change. */
export function changingFacts(
  { display, driver }: HeldSession,
  reading: WaitReading,
): Pick<TerminalFactsView, Passing> {
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
