import type { TerminalFactsView } from '../../../ports/terminals.ts';
import type { HeldSession } from './held-session.ts';
import { isRunning } from '../../shells/reach-prompt.ts';
import { isWaiting } from './terminal-look.ts';
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

/** Of the facts about a terminal those that change. */
export function passingFacts(
  { display, talk }: HeldSession,
  reading: WaitReading,
): Pick<TerminalFactsView, Passing> {
  const { state, restsOn, process } = reading;
  const { state: shell } = talk;
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
    exitCode: talk.exitCode,
    attached: display.attachedCount,
  };
}
