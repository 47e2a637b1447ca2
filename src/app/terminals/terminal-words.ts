import type { TerminalDialect } from '../../model/terminals/terminal-action.ts';
import type { TerminalAnswer } from '../../model/terminals/terminal-answer.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import {
  TERMINAL_DESCRIPTION,
  TERMINAL_SUMMARY,
  terminalParameters,
} from '../../model/terminals/terminal-tool.ts';
import type { ParameterDescription } from '../../model/terminals/terminal-tool.ts';
import { failureAnswer } from '../../terminal/use-cases/terminal-answer.ts';
import {
  terminatorDescription,
  terminatorParameters,
} from '../../terminal/use-cases/terminal-description.ts';
import type { DescriptionFacts } from '../../terminal/use-cases/terminal-description.ts';
import { actionIn } from './terminal-calls.ts';

/** A tool for terminals as a client sees it. */
export interface TerminalTool {
  readonly description: string;
  readonly parameters: Readonly<Record<string, ParameterDescription>>;
}

/** With the defaults that count now. */
export function terminalTool(dialect: TerminalDialect, facts: DescriptionFacts): TerminalTool {
  const { settings, app, version } = facts;
  if (dialect === 'terminator')
    return { description: terminatorDescription(facts), parameters: terminatorParameters(settings) };
  const shown = app === undefined ? '' : ` ${app} shows it to the user (attach).`;
  return {
    description: `${TERMINAL_SUMMARY} ${TERMINAL_DESCRIPTION}${shown} Deskterity ${version}.`,
    parameters: terminalParameters({ ...settings, focus: settings.focus ?? false }),
  };
}

/** Ways on that S2's own tool has. */
const S2_BUSY = 'Look at it with action "read", end it with action "kill", or use another tag.';

/** A failure in the words of the tool that was called. */
export function failureInWords(
  dialect: TerminalDialect,
  given: Readonly<Record<string, unknown>>,
  error: DeskterityError,
): TerminalAnswer {
  const setting = { dialect, action: actionIn(given) };
  if (dialect === 'terminal' || error.code !== 'TERMINAL_BUSY') return failureAnswer(setting, error);
  const { code, message } = error;
  return failureAnswer(setting, new DeskterityError(code, message, { suggestion: S2_BUSY }));
}
