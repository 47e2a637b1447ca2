import type { ResolvedConfiguration } from '../../model/configuration/config.ts';
import { TERMINAL_ACTIONS } from '../../model/terminals/terminal-action.ts';
import type { TerminalAction, TerminalDialect } from '../../model/terminals/terminal-action.ts';
import type { TerminalAnswer } from '../../model/terminals/terminal-answer.ts';
import type { LogPort } from '../../ports/log.ts';
import type { TerminalsPort } from '../../ports/terminals.ts';
import { readTerminalCall } from '../../terminal/use-cases/terminal-call.ts';
import type { TerminalCall } from '../../terminal/use-cases/terminal-call.ts';
import type { AnswerSetting } from '../../terminal/use-cases/terminal-answer.ts';
import { terminalSettings } from '../../terminal/use-cases/terminal-settings.ts';
import type { TerminalSettings } from '../../terminal/use-cases/terminal-settings.ts';
import type { StartTerminalParts } from './start-terminal.ts';
import { attach, close, execute, focus, focused, kill, resize, send } from './terminal-acts.ts';
import { listTerminals, readLines, readOutput, readScreen, tellOfTerminals } from './terminal-looks.ts';
import { requireTerminal } from './terminal-sessions.ts';
import type { TerminalStage } from './terminal-stage.ts';

export interface TerminalCallParts {
  readonly start: StartTerminalParts;
  readonly configuration: ResolvedConfiguration;
  readonly terminals: () => Promise<TerminalsPort>;
  /** References of terminals in the session of the call, in the order of their ids. */
  readonly refs: (ids: readonly string[]) => Promise<readonly string[]>;
  readonly stage: TerminalStage;
  readonly version: string;
  /** Where terminals are told of. @throws DeskterityError CONFIG_INVALID where the folder that was named for it cannot be had */
  readonly log: () => Promise<Pick<LogPort, 'write'>>;
}

export interface TerminalCallOptions {
  readonly dialect: TerminalDialect;
  readonly signal: AbortSignal;
}

/** What one call works with. */
export interface TerminalDesk extends Pick<TerminalCallParts, 'refs'> {
  readonly start: StartTerminalParts;
  readonly port: TerminalsPort;
  readonly stage: TerminalStage;
  readonly version: string;
  readonly call: TerminalCall;
  readonly settings: TerminalSettings;
  readonly setting: AnswerSetting;
  readonly signal: AbortSignal;
}

const ACTIONS: Readonly<Record<TerminalAction, (desk: TerminalDesk) => Promise<TerminalAnswer>>> = {
  execute,
  read: async (desk) => {
    if (desk.call.focus) await focused(desk, await requireTerminal(desk.port, desk.call));
    return readLines(desk);
  },
  list: listTerminals,
  info: tellOfTerminals,
  focus,
  kill,
  send,
  screen: readScreen,
  resize,
  output: readOutput,
  attach,
  close,
};

/**
 * Carries out what a model or a person has asked of terminals.
 * @throws DeskterityError INVALID_ARGUMENT, TERMINAL_NOT_FOUND, TERMINAL_BUSY, SANDBOX_UNAVAILABLE and what the terminal itself fails with
 */
export async function callTerminal(
  parts: TerminalCallParts,
  given: Readonly<Record<string, unknown>>,
  { dialect, signal }: TerminalCallOptions,
): Promise<TerminalAnswer> {
  const settings = terminalSettings(parts.configuration);
  const { cwd } = parts.start.caller;
  const usualProject = cwd === '/' || cwd === '' ? undefined : cwd;
  const { call, notes } = readTerminalCall(given, { dialect, settings, usualProject });
  const log = await parts.log();
  for (const note of notes) log.write({ level: 'debug', message: 'terminal call', fields: { note } });
  return ACTIONS[call.action]({
    ...parts,
    port: await parts.terminals(),
    call,
    settings,
    setting: { dialect, action: call.action },
    signal,
  });
}

/** The action that was asked for, as far as that can be told. */
export function actionIn(given: Readonly<Record<string, unknown>>): TerminalAction {
  const { action } = given;
  return TERMINAL_ACTIONS.find((known) => typeof action === 'string' && known === action) ?? 'execute';
}
