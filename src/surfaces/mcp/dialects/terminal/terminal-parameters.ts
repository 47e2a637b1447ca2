import {
  LONGEST_TERMINAL_WAIT_SECONDS,
  MOST_TERMINAL_LINES,
  TERMINAL_SIZES,
} from '../../../../model/terminals/terminal-bounds.ts';

/** The type of a value, and its limits. */
export type ParameterKind =
  | { readonly type: 'text'; readonly longest: number; readonly mayBeEmpty: boolean }
  | { readonly type: 'switch' }
  | { readonly type: 'integer'; readonly least: number; readonly most: number };

export interface ParameterRule {
  readonly kind: ParameterKind;
  /** Other spellings in lower case, by precedence. */
  readonly aliases: readonly string[];
  /** Only in `terminal`. */
  readonly isExtension?: true;
}

const SWITCH = { type: 'switch' } as const;
const text = (longest: number, mayBeEmpty = false) => ({ type: 'text', longest, mayBeEmpty }) as const;
const integer = (least: number, most: number) => ({ type: 'integer', least, most }) as const;
const LONGEST_TEXT = 1_000_000;
const LONGEST_PATH = 4096;
const LONGEST_TAG = 256;

/** Every parameter by its canonical name, which in any case takes precedence over aliases. */
export const TERMINAL_PARAMETERS = {
  action: { kind: text(64), aliases: ['action_name', 'actionname', 'action-name', 'subcommand'] },
  project_path: {
    kind: text(LONGEST_PATH),
    aliases: [
      'projectpath',
      'project-path',
      'project_dir',
      'projectdir',
      'project',
      'path',
      'cwd',
      'working_directory',
      'workingdirectory',
    ],
  },
  tag: {
    kind: text(LONGEST_TAG),
    aliases: ['tag_name', 'tagname', 'session_tag', 'sessiontag', 'session_name', 'sessionname'],
  },
  command: {
    kind: text(LONGEST_TEXT, true),
    aliases: ['cmd', 'shell_command', 'shellcommand', 'command_line', 'commandline'],
  },
  background: {
    kind: SWITCH,
    aliases: ['is_background', 'isbackground', 'run_in_background', 'runinbackground', 'bg'],
  },
  lines: {
    kind: integer(0, MOST_TERMINAL_LINES),
    aliases: ['maxlines', 'max_lines', 'max-lines', 'line_count', 'linecount', 'num_lines', 'numlines'],
  },
  timeout: {
    kind: integer(1, LONGEST_TERMINAL_WAIT_SECONDS),
    aliases: [
      'timeoutseconds',
      'timeout_seconds',
      'timeout-seconds',
      'timeout_sec',
      'timeoutsec',
      'timeout_s',
    ],
  },
  focus: { kind: SWITCH, aliases: ['focus_on_action', 'focusonaction', 'bring_to_front', 'bringtofront'] },
  interrupt: { kind: SWITCH, aliases: ['interrupt_busy', 'interruptbusy'], isExtension: true },
  clear: { kind: SWITCH, aliases: ['clear_screen', 'clearscreen'], isExtension: true },
  confined: { kind: SWITCH, aliases: ['sandbox', 'sandboxed'], isExtension: true },
  text: { kind: text(LONGEST_TEXT, true), aliases: ['input'], isExtension: true },
  keys: { kind: text(4096), aliases: ['key'], isExtension: true },
  columns: {
    kind: { type: 'integer', ...TERMINAL_SIZES.columns },
    aliases: ['cols', 'width'],
    isExtension: true,
  },
  rows: { kind: { type: 'integer', ...TERMINAL_SIZES.rows }, aliases: ['height'], isExtension: true },
  head: { kind: integer(1, MOST_TERMINAL_LINES), aliases: ['first_lines', 'firstlines'], isExtension: true },
  cursor: { kind: integer(0, Number.MAX_SAFE_INTEGER), aliases: ['offset'], isExtension: true },
  pattern: { kind: text(1000), aliases: ['regex'], isExtension: true },
  ignore_case: { kind: SWITCH, aliases: ['ignorecase'], isExtension: true },
  raw: { kind: SWITCH, aliases: ['bytes', 'base64'], isExtension: true },
  max_tokens: { kind: integer(100, 50_000), aliases: ['maxtokens'], isExtension: true },
} as const satisfies Readonly<Record<string, ParameterRule>>;

export type ParameterName = keyof typeof TERMINAL_PARAMETERS;
