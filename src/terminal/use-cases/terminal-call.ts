import { nearest } from '../../model/text/nearest.ts';
import { TERMINAL_ACTIONS, TERMINATOR_ACTIONS } from '../../model/terminals/terminal-action.ts';
import type { TerminalAction, TerminalDialect } from '../../model/terminals/terminal-action.ts';
import { integerOf, invalid, requireVisible, shown, switchOf, textOf } from './coerce-parameter.ts';
import { matchKeys } from './lenient-keys.ts';
import { TERMINAL_PARAMETERS, TOOL_NAMES } from './terminal-parameters.ts';
import type { ParameterKind, ParameterName, ParameterRule } from './terminal-parameters.ts';
import type { TerminalSettings } from './terminal-settings.ts';
import { deriveTag } from './terminal-tag.ts';

/** What a call asks of terminals. */
export interface TerminalCall {
  readonly action: TerminalAction;
  /** Absolute. Absent only for `list` and `info` of `terminal`, which are about all projects then. */
  readonly projectPath: string | undefined;
  /** As it was given, or derived. Absent for `list` and `info` that name none. */
  readonly tag: string | undefined;
  /** Empty: the session is made ready, and nothing is run. */
  readonly command: string;
  readonly background: boolean;
  readonly lines: number;
  /** The same where the caller has said it. */
  readonly saidLines: number | undefined;
  /** For the first output of a background command, for the end of any other. */
  readonly timeoutSeconds: number;
  readonly focus: boolean;
  /** End what runs there first. */
  readonly interrupt: boolean;
  readonly clear: boolean;
  readonly confined: boolean;
  readonly text: string | undefined;
  readonly keys: string | undefined;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly cursor: number | undefined;
  readonly pattern: string | undefined;
  readonly ignoreCase: boolean;
  readonly maxTokens: number | undefined;
}

export interface CallSetting {
  readonly dialect: TerminalDialect;
  readonly settings: TerminalSettings;
  /** Project of a call of `terminal` that names none, such as the folder of a command line. */
  readonly usualProject?: string | undefined;
}

/** Of one kind, with names. */
type NamesOf<T extends ParameterKind['type']> = {
  [N in ParameterName]: (typeof TERMINAL_PARAMETERS)[N]['kind']['type'] extends T ? N : never;
}[ParameterName];

/**
 * What a model or a person has given, with all defaults.
 * @returns also what was passed over, for a log at level `debug`
 * @throws DeskterityError INVALID_ARGUMENT, naming the parameter and its value
 */
export function readTerminalCall(
  given: Readonly<Record<string, unknown>>,
  { dialect, settings, usualProject }: CallSetting,
): { readonly call: TerminalCall; readonly notes: readonly string[] } {
  const { values, notes } = matchKeys(given, spellings(dialect), TOOL_NAMES[dialect]);
  const text = (name: NamesOf<'text'>) =>
    values.has(name) ? textOf(name, values.get(name), TERMINAL_PARAMETERS[name].kind) : undefined;
  const toggle = (name: NamesOf<'switch'>) =>
    values.has(name) ? switchOf(name, values.get(name)) : undefined;
  const integer = (name: NamesOf<'integer'>) =>
    values.has(name) ? integerOf(name, values.get(name), TERMINAL_PARAMETERS[name].kind) : undefined;

  const action = actionOf(text('action'), dialect);
  const isAboutAll = action === 'list' || action === 'info';
  const projectPath =
    text('project_path') ?? (dialect === 'terminal' ? usualOf(action, usualProject) : undefined);
  requireProject(projectPath, isAboutAll && dialect === 'terminal');
  const tag = text('tag');
  if (tag !== undefined) requireVisible('tag', tag);
  const background = toggle('background') ?? settings.background;
  const focus = toggle('focus') ?? settings.focus ?? dialect === 'terminator';
  const call: TerminalCall = {
    action,
    projectPath,
    tag: tag ?? (projectPath === undefined || isAboutAll ? undefined : deriveTag(projectPath)),
    command: text('command') ?? '',
    background,
    lines: integer('lines') ?? settings.lines,
    saidLines: integer('lines'),
    timeoutSeconds:
      integer('timeout') ??
      (background ? settings.backgroundStartupSeconds : settings.foregroundCompletionSeconds),
    focus: focus || action === 'focus',
    interrupt: toggle('interrupt') ?? false,
    clear: toggle('clear') ?? false,
    confined: toggle('confined') ?? false,
    text: text('text'),
    keys: text('keys'),
    columns: integer('columns'),
    rows: integer('rows'),
    cursor: integer('cursor'),
    pattern: text('pattern'),
    ignoreCase: toggle('ignore_case') ?? false,
    maxTokens: integer('max_tokens'),
  };
  return { call, notes };
}

/** The session that a call is about. @throws DeskterityError INVALID_ARGUMENT where it names none */
export function requireSession({ projectPath, tag }: TerminalCall): {
  readonly projectPath: string;
  readonly tag: string;
} {
  if (projectPath !== undefined && tag !== undefined) return { projectPath, tag };
  throw invalid(
    "Cannot determine a session tag. Please provide a 'tag' or ensure a project context is available.",
    "Give 'project_path', and 'tag' where the project has several sessions.",
  );
}

function spellings(dialect: TerminalDialect) {
  const rules: readonly (readonly [string, ParameterRule])[] = Object.entries(TERMINAL_PARAMETERS);
  return new Map(
    rules
      .filter(([, { isOurs }]) => dialect === 'terminal' || isOurs !== true)
      .map(([name, { aliases }]) => [name, aliases]),
  );
}

function actionOf(asked: string | undefined, dialect: TerminalDialect): TerminalAction {
  if (asked === undefined) return 'execute';
  const actions: readonly TerminalAction[] = dialect === 'terminal' ? TERMINAL_ACTIONS : TERMINATOR_ACTIONS;
  const found = actions.find((action) => action === asked.toLowerCase());
  if (found !== undefined) return found;
  const close = nearest(asked, actions);
  throw invalid(
    `The parameter 'action' is ${shown(asked)}, but must be one of ${actions.join(', ')}.`,
    close === undefined ? 'Leave it out to execute a command.' : `Did you mean ${close}?`,
  );
}

/** A list without a project is one of everything, wherever it is asked for. */
function usualOf(action: TerminalAction, usualProject: string | undefined): string | undefined {
  return action === 'list' || action === 'info' ? undefined : usualProject;
}

function requireProject(projectPath: string | undefined, mayBeAbsent: boolean): void {
  if (projectPath === undefined) {
    if (mayBeAbsent) return;
    throw invalid(
      "The parameter 'project_path' is missing.",
      'Give the absolute path of the project folder as project_path.',
    );
  }
  if (!projectPath.startsWith('/'))
    throw invalid(
      `The parameter 'project_path' is ${shown(projectPath)}, but must be an absolute path.`,
      'Give it from the root on: /home/someone/project.',
    );
}
