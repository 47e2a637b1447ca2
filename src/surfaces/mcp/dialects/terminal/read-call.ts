import { TERMINAL_ACTIONS, type TerminalAction } from '../../../../model/terminals/terminal-action.ts';
import type { TerminalCall, TerminalRequests } from '../../../../model/terminals/terminal-requests.ts';
import { nearest } from '../../../../model/text/nearest.ts';
import { invalid, shown } from '../invalid-parameter.ts';
import { integerOf, requireVisible, switchOf, textOf } from './coerce-parameter.ts';
import { TERMINATOR_ACTIONS, TOOL_NAMES, type TerminalDialect } from './dialects.ts';
import { matchKeys } from './lenient-keys.ts';
import { TERMINAL_PARAMETERS } from './terminal-parameters.ts';
import type { ParameterKind, ParameterName, ParameterRule } from './terminal-parameters.ts';

/** Names of the parameters of one kind. */
type NamesOf<T extends ParameterKind['type']> = {
  [N in ParameterName]: (typeof TERMINAL_PARAMETERS)[N]['kind']['type'] extends T ? N : never;
}[ParameterName];

/** Builds the request of each action. */
type Builders = { readonly [A in TerminalAction]: () => TerminalRequests[A] };

/**
 * Interprets the names and values that a model has given.
 * @returns also the ignored parameters, for a log
 * @throws DeskterityError INVALID_ARGUMENT, naming the parameter and its value
 */
export function readCall(
  given: Readonly<Record<string, unknown>>,
  dialect: TerminalDialect,
): { readonly call: TerminalCall; readonly ignored: readonly string[] } {
  const { values, notes } = matchKeys(given, spellings(dialect), TOOL_NAMES[dialect]);
  const text = (name: NamesOf<'text'>) =>
    values.has(name) ? textOf(name, values.get(name), TERMINAL_PARAMETERS[name].kind) : undefined;
  const toggle = (name: NamesOf<'switch'>) =>
    values.has(name) ? switchOf(name, values.get(name)) : undefined;
  const integer = (name: NamesOf<'integer'>) =>
    values.has(name) ? integerOf(name, values.get(name), TERMINAL_PARAMETERS[name].kind) : undefined;

  const action = actionOf(text('action'), dialect);
  const project_path = text('project_path');
  requireProject(project_path, dialect);
  const tag = text('tag');
  if (tag !== undefined) requireVisible('tag', tag);
  const session = { project_path, tag };
  // All parameters are read for every action, so that an invalid value is always reported.
  const all = {
    command: text('command') ?? '',
    background: toggle('background'),
    lines: integer('lines'),
    timeout_seconds: integer('timeout'),
    focus: toggle('focus'),
    interrupt: toggle('interrupt') ?? false,
    clear: toggle('clear') ?? false,
    confined: toggle('confined') ?? false,
    text: text('text'),
    keys: text('keys'),
    columns: integer('columns'),
    rows: integer('rows'),
    head: integer('head'),
    cursor: integer('cursor'),
    pattern: text('pattern'),
    ignore_case: toggle('ignore_case') ?? false,
    raw: toggle('raw') ?? false,
    max_tokens: integer('max_tokens') ?? DEFAULT_TOKENS,
  };
  const { lines, clear, columns, rows } = all;
  const focus = { focus: all.focus, focus_default: dialect === 'terminator' };
  const builders: Builders = {
    execute: () => {
      const { command, background, timeout_seconds, interrupt, confined } = all;
      const how = { background, timeout_seconds, interrupt, confined };
      return { command, ...how, lines, clear, columns, rows, ...focus, ...session };
    },
    read: () => ({ head: all.head, lines, ...focus, ...session }),
    list: () => ({ project_path }),
    info: () => ({ project_path }),
    focus: () => session,
    kill: () => ({ clear, ...focus, ...session }),
    send: () => ({ text: all.text, keys: all.keys, lines, ...session }),
    screen: () => session,
    resize: () => ({ columns, rows, ...session }),
    output: () => {
      const { head, cursor, pattern, ignore_case, raw, max_tokens } = all;
      return { head, cursor, pattern, ignore_case, raw, max_tokens, lines, ...session };
    },
    attach: () => session,
    close: () => session,
  };
  return { call: callOf(action, builders), ignored: notes };
}

/** The same as for the output of operations. */
const DEFAULT_TOKENS = 4000;

function callOf<A extends TerminalAction>(action: A, builders: Builders): TerminalCall<A> {
  return { action, request: builders[action]() };
}

/** The requested action, if it is valid. */
export function actionIn({ action }: Readonly<Record<string, unknown>>): TerminalAction {
  return TERMINAL_ACTIONS.find((known) => known === action) ?? 'execute';
}

function spellings(dialect: TerminalDialect) {
  const rules: readonly (readonly [string, ParameterRule])[] = Object.entries(TERMINAL_PARAMETERS);
  return new Map(
    rules
      .filter(([, { isExtension }]) => dialect === 'terminal' || isExtension !== true)
      .map(([name, { aliases }]) => [name, aliases]),
  );
}

function actionOf(given: string | undefined, dialect: TerminalDialect): TerminalAction {
  if (given === undefined) return 'execute';
  const actions: readonly TerminalAction[] = dialect === 'terminal' ? TERMINAL_ACTIONS : TERMINATOR_ACTIONS;
  const found = actions.find((action) => action === given.toLowerCase());
  if (found !== undefined) return found;
  const close = nearest(given, actions);
  throw invalid(
    `The parameter 'action' is ${shown(given)}, but must be one of ${actions.join(', ')}.`,
    close === undefined ? 'Leave it out to execute a command.' : `Did you mean ${close}?`,
  );
}

/** Our own tool defaults to the caller's folder, or to all projects. */
function requireProject(projectPath: string | undefined, dialect: TerminalDialect): void {
  if (projectPath === undefined) {
    if (dialect === 'terminal') return;
    throw invalid(
      "The parameter 'project_path' is missing.",
      'Pass the absolute path of the project folder as project_path.',
    );
  }
  if (!projectPath.startsWith('/'))
    throw invalid(
      `The parameter 'project_path' is ${shown(projectPath)}, but must be an absolute path.`,
      'Pass a path such as /home/user/project.',
    );
}
