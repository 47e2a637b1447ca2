import { TERMINAL_ACTIONS } from './terminal-action.ts';

/** One parameter as a model sees it. */
export interface ParameterDescription {
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
  readonly default?: string | boolean | number;
  readonly enum?: readonly string[];
  readonly isRequired?: true;
}

/** Settings that the parameters tell of. */
export interface TerminalDefaults {
  readonly lines: number;
  readonly background: boolean;
  readonly backgroundStartupSeconds: number;
  readonly foregroundCompletionSeconds: number;
  readonly focus: boolean;
}

export const TERMINAL_SUMMARY = 'Run commands in terminals that stay, one for each project and tag.';
export const TERMINAL_DESCRIPTION =
  'A session is a real terminal with the user’s login shell: folder, variables and what runs in it are kept between calls, and outlive this program. ' +
  'A command that waits for input or does not end never blocks: the answer says what it waits for and how to go on. ' +
  'A busy session refuses a command unless interrupt is true. ' +
  'A password is never sent from here: the user types it (action attach). ' +
  'By default commands can do everything the user can; confined starts a session that the kernel keeps to the project.';

/** The parameters of the tool `terminal`, with the defaults that count now. */
export function terminalParameters(
  defaults: TerminalDefaults,
): Readonly<Record<string, ParameterDescription>> {
  const { backgroundStartupSeconds: startup, foregroundCompletionSeconds: completion } = defaults;
  const text = (description: string) => ({ type: 'string', description }) as const;
  const toggle = (description: string, usual = false) =>
    ({ type: 'boolean', description, ...(usual ? { default: true } : {}) }) as const;
  const integer = (description: string) => ({ type: 'integer', description }) as const;
  return {
    action: {
      type: 'string',
      enum: TERMINAL_ACTIONS,
      default: 'execute',
      description:
        'execute: run command. read: last lines shown. send: type text, press keys. screen: what a full-screen program shows. output: all that was shown, in parts. kill: end what runs; the session stays. close: end the session. list, info: of all projects. attach: show it to the user. focus: bring it to the front.',
    },
    project_path: text('Absolute path of the project. Default: the folder you are in.'),
    tag: text('Name of the session in its project, such as server. Default: the name of the folder.'),
    command: text('Shell command; empty to make the session ready.'),
    background: toggle('Answer with the first output and leave it running.', defaults.background),
    lines: { ...integer('Most lines of output, the last ones.'), default: defaults.lines },
    timeout: integer(
      `Seconds to wait for the end (default ${completion}), with background for the first output (${startup}). What takes longer goes on.`,
    ),
    interrupt: toggle('End first what runs there (INT, TERM, KILL).'),
    clear: toggle('Empty the screen first.'),
    confined: toggle('Keep a new session to the project: no network, nothing else is read or written.'),
    focus: toggle('Bring its window to the front, if one shows it.', defaults.focus),
    text: text('For send: text to type; a line feed is Enter.'),
    keys: text('For send: keys after the text, such as "Enter", "ctrl+c" or "Down Down Enter".'),
    columns: integer('Width, for resize or a new session. Default 120.'),
    rows: integer('Height. Default 40.'),
    cursor: integer('For output: from this byte on; next_cursor of an earlier answer.'),
    pattern: text('For output: lines that match this regular expression.'),
    ignore_case: toggle('For output: match in any case.'),
    max_tokens: integer('For output: never more than this. Default 4000.'),
  };
}
