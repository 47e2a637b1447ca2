import type { ManifestParameter } from './manifest.ts';

/** Ways to print an answer. */
export const FORMATS = ['json', 'outline', 'text', 'quiet'] as const;
export type Format = (typeof FORMATS)[number];

/** Flags that every command takes. */
export const GLOBAL_FLAGS: readonly (ManifestParameter & { readonly flag: string })[] = [
  {
    key: 'format',
    flag: 'format',
    type: 'string',
    values: FORMATS,
    default: 'json',
    required: false,
    help: 'json: the full answer. outline: the short form for a model. text: the bare answer. quiet: only the exit code.',
  },
  { key: 'json', flag: 'json', type: 'boolean', required: false, help: 'Short for --format json.' },
  {
    key: 'pretty',
    flag: 'pretty',
    type: 'boolean',
    required: false,
    help: 'JSON over several lines; the default on a terminal.',
  },
  {
    key: 'session',
    flag: 'session',
    type: 'string',
    default: 'default',
    required: false,
    help: 'Whose references to use; DESKTERITY_SESSION when not given.',
  },
  {
    key: 'no_daemon',
    flag: 'no-daemon',
    type: 'boolean',
    required: false,
    help: 'Do everything in this process; also DESKTERITY_NO_DAEMON=1.',
  },
  {
    key: 'sandbox_scope',
    flag: 'sandbox-scope',
    type: 'string',
    required: false,
    help: 'Folder that command-line tools may work in; also DESKTERITY_SANDBOX_SCOPE.',
  },
  {
    key: 'no_sandbox',
    flag: 'no-sandbox',
    type: 'boolean',
    required: false,
    help: 'Confine no command-line tool: each can then do all that you can.',
  },
  {
    key: 'tools_dir',
    flag: 'tools-dir',
    type: 'string',
    required: false,
    help: 'A further folder of tool files; also DESKTERITY_TOOLS_FOLDER.',
  },
  {
    key: 'sync',
    flag: 'sync',
    type: 'boolean',
    required: false,
    help: 'Wait for the end of every command-line tool.',
  },
  {
    key: 'log_to_stderr',
    flag: 'log-to-stderr',
    type: 'boolean',
    required: false,
    help: 'Also print what is logged of this call on standard error.',
  },
  {
    key: 'verbose',
    flag: 'verbose',
    type: 'boolean',
    required: false,
    help: 'The same with details.',
  },
  {
    key: 'help',
    flag: 'help',
    short: 'h',
    type: 'boolean',
    required: false,
    help: 'Show help, for one command after its name.',
  },
  {
    key: 'version',
    flag: 'version',
    short: 'V',
    type: 'boolean',
    required: false,
    help: 'Print the version.',
  },
];

export function isFormat(text: unknown): text is Format {
  return FORMATS.some((format) => format === text);
}
