import type { TerminalAction } from '../../model/terminals/terminal-action.ts';
import type { TerminalOutcome } from '../../model/terminals/terminal-answer.ts';
import type { TerminalRequests } from '../../model/terminals/terminal-requests.ts';

export interface TerminalCallOptions {
  readonly signal: AbortSignal;
  /** `focus` and `attach` only check what they check before they do anything. */
  readonly isTrial?: boolean | undefined;
  /** Unknown parts of the call, for the log of terminals. */
  readonly ignored?: readonly string[] | undefined;
}

/**
 * What one caller can do with terminals, by use case.
 * Each throws DeskterityError INVALID_ARGUMENT, TERMINAL_NOT_FOUND, CONFIG_INVALID; `execute` also TERMINAL_BUSY, SANDBOX_UNAVAILABLE, CONFLICT,
 * ACTION_FAILED and CANCELLED; `send` POLICY_DENIED if a program waits for a secret; `focus` and `attach` ACTION_NOT_SUPPORTED and TIMEOUT.
 */
export type TerminalUseCases = {
  readonly [A in TerminalAction]: (
    request: TerminalRequests[A],
    options: TerminalCallOptions,
  ) => Promise<TerminalOutcome>;
};
