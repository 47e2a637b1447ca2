import { DeskterityError } from '../../model/effects/errors.ts';
import type { ReadRequest } from '../../model/terminals/terminal-requests.ts';
import type { TerminalSettings } from '../../model/terminals/terminal-settings.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';
import type { TerminalWindows } from '../windows/terminal-windows.ts';
import type { SessionPlace } from './session-of-request.ts';
import type { StartTerminalParts } from './start-terminal.ts';

/** The parts that one call uses. */
export interface TerminalContext extends SessionPlace {
  readonly start: StartTerminalParts;
  readonly windows: TerminalWindows;
  /** Gives terminals references in the session of the call, in the order of the ids. */
  readonly refs: (ids: readonly string[]) => Promise<readonly string[]>;
  readonly settings: TerminalSettings;
  readonly version: string;
  readonly signal: AbortSignal;
  /** See {@link TerminalCallOptions.isTrial}. */
  readonly isTrial?: boolean | undefined;
}

/**
 * Brings a session to the front as part of another action, which does not fail if that is impossible.
 * @returns remarks for the answer
 */
export async function focusIfRequested(
  { settings, windows, signal }: TerminalContext,
  terminal: TerminalFactsView,
  { focus, focus_default: usual = false }: Pick<ReadRequest, 'focus' | 'focus_default'>,
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
