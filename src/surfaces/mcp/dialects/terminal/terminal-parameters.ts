import {
  LONGEST_TERMINAL_WAIT_SECONDS,
  MOST_TERMINAL_LINES,
  TERMINAL_SIZES,
} from '../../../../model/terminals/terminal-bounds.ts';

/** What a value must be, and the longest or largest that is taken. */
export type ParameterKind =
  | { readonly type: 'text'; readonly longest: number; readonly mayBeEmpty: boolean }
  | { readonly type: 'switch' }
  | { readonly type: 'integer'; readonly least: number; readonly most: number };

export interface ParameterRule {
  readonly kind: ParameterKind;
  /** Other spellings in lower case; an earlier one is stronger. */
  readonly aliases: readonly string[];
  /** Of `terminal` alone. */
  readonly isOurs?: true;
}

const SWITCH = { type: 'switch' } as const;
const LONGEST_TEXT = 1_000_000;
const LONGEST_PATH = 4096;
const LONGEST_TAG = 256;

/** Every parameter by its canonical name. A name in any case is the strongest spelling of itself. */
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
  interrupt: { kind: SWITCH, aliases: ['interrupt_busy', 'interruptbusy'], isOurs: true },
  clear: { kind: SWITCH, aliases: ['clear_screen', 'clearscreen'], isOurs: true },
  confined: { kind: SWITCH, aliases: ['sandbox', 'sandboxed'], isOurs: true },
  text: { kind: { type: 'text', longest: LONGEST_TEXT, mayBeEmpty: true }, aliases: ['input'], isOurs: true },
  keys: { kind: { type: 'text', longest: 4096, mayBeEmpty: false }, aliases: ['key'], isOurs: true },
  columns: {
    kind: { type: 'integer', ...TERMINAL_SIZES.columns },
    aliases: ['cols', 'width'],
    isOurs: true,
  },
  rows: { kind: { type: 'integer', ...TERMINAL_SIZES.rows }, aliases: ['height'], isOurs: true },
  cursor: {
    kind: { type: 'integer', least: 0, most: Number.MAX_SAFE_INTEGER },
    aliases: ['offset'],
    isOurs: true,
  },
  pattern: { kind: { type: 'text', longest: 1000, mayBeEmpty: false }, aliases: ['regex'], isOurs: true },
  ignore_case: { kind: SWITCH, aliases: ['ignorecase'], isOurs: true },
  max_tokens: {
    kind: { type: 'integer', least: 100, most: 50_000 },
    aliases: ['maxtokens'],
    isOurs: true,
  },
} as const satisfies Readonly<Record<string, ParameterRule>>;

export type ParameterName = keyof typeof TERMINAL_PARAMETERS;
