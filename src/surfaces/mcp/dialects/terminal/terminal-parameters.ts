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
const LONGEST_TEXT = 1_000_000;
const LONGEST_PATH = 4096;
const LONGEST_TAG = 256;

/** Every parameter by its canonical name, which in any case takes precedence over aliases. */
export const TERMINAL_PARAMETERS = {
  action: {
    kind: { type: 'text', longest: 64, mayBeEmpty: false },
    aliases: ['action_name', 'actionname', 'action-name', 'subcommand'],
  },
  project_path: {
    kind: { type: 'text', longest: LONGEST_PATH, mayBeEmpty: false },
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
    kind: { type: 'text', longest: LONGEST_TAG, mayBeEmpty: false },
    aliases: ['tag_name', 'tagname', 'session_tag', 'sessiontag', 'session_name', 'sessionname'],
  },
  command: {
    kind: { type: 'text', longest: LONGEST_TEXT, mayBeEmpty: true },
    aliases: ['cmd', 'shell_command', 'shellcommand', 'command_line', 'commandline'],
  },
  background: {
    kind: SWITCH,
    aliases: ['is_background', 'isbackground', 'run_in_background', 'runinbackground', 'bg'],
  },
  lines: {
    kind: { type: 'integer', least: 0, most: MOST_TERMINAL_LINES },
    aliases: ['maxlines', 'max_lines', 'max-lines', 'line_count', 'linecount', 'num_lines', 'numlines'],
  },
  timeout: {
    kind: { type: 'integer', least: 1, most: LONGEST_TERMINAL_WAIT_SECONDS },
    aliases: [
      'timeoutseconds',
      'timeout_seconds',
      'timeout-seconds',
      'timeout_sec',
      'timeoutsec',
      'timeout_s',
    ],
  },
  focus: {
    kind: SWITCH,
    aliases: ['focus_on_action', 'focusonaction', 'bring_to_front', 'bringtofront'],
  },
  interrupt: { kind: SWITCH, aliases: ['interrupt_busy', 'interruptbusy'], isExtension: true },
  clear: { kind: SWITCH, aliases: ['clear_screen', 'clearscreen'], isExtension: true },
  confined: { kind: SWITCH, aliases: ['sandbox', 'sandboxed'], isExtension: true },
  text: {
    kind: { type: 'text', longest: LONGEST_TEXT, mayBeEmpty: true },
    aliases: ['input'],
    isExtension: true,
  },
  keys: { kind: { type: 'text', longest: 4096, mayBeEmpty: false }, aliases: ['key'], isExtension: true },
  columns: {
    kind: { type: 'integer', ...TERMINAL_SIZES.columns },
    aliases: ['cols', 'width'],
    isExtension: true,
  },
  rows: { kind: { type: 'integer', ...TERMINAL_SIZES.rows }, aliases: ['height'], isExtension: true },
  cursor: {
    kind: { type: 'integer', least: 0, most: Number.MAX_SAFE_INTEGER },
    aliases: ['offset'],
    isExtension: true,
  },
  pattern: {
    kind: { type: 'text', longest: 1000, mayBeEmpty: false },
    aliases: ['regex'],
    isExtension: true,
  },
  ignore_case: { kind: SWITCH, aliases: ['ignorecase'], isExtension: true },
  max_tokens: {
    kind: { type: 'integer', least: 100, most: 50_000 },
    aliases: ['maxtokens'],
    isExtension: true,
  },
} as const satisfies Readonly<Record<string, ParameterRule>>;

export type ParameterName = keyof typeof TERMINAL_PARAMETERS;
