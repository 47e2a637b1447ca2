import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalSettings } from '../../model/terminals/terminal-settings.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';
import type { TerminalWindows } from '../windows/terminal-windows.ts';
import type { SessionPlace } from './session-of-request.ts';
import type { StartTerminalParts } from './start-terminal.ts';

/** What one call works with. */
export interface TerminalContext extends SessionPlace {
  readonly start: StartTerminalParts;
  readonly windows: TerminalWindows;
  /** References of terminals in the session of the call, in the order of their ids. */
  readonly refs: (ids: readonly string[]) => Promise<readonly string[]>;
  readonly settings: TerminalSettings;
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Whether an action is to bring its session to the front on the side. */
export interface FocusChoice {
  readonly focus?: boolean | undefined;
  /** Where neither the request nor the settings say it. */
  readonly focus_default?: boolean | undefined;
}

/**
 * Brings a session to the front for an action that is asked for more than that: where it cannot, the action has not failed.
 * @returns what to remark
 */
export async function focusOnTheSide(
  { settings, windows, signal }: TerminalContext,
  terminal: TerminalFactsView,
  { focus, focus_default: usual = false }: FocusChoice,
): Promise<readonly string[]> {
  if (!(focus ?? settings.focus ?? usual)) return [];
  try {
    await windows.focus(terminal, signal);
    return [];
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
    return [error.message];
  }
}
