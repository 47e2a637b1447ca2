import type { ManifestParameter } from './manifest.ts';

/** Ways to print an answer. */
export const FORMATS = ['json', 'outline', 'text', 'quiet'] as const;
export type Format = (typeof FORMATS)[number];

/** Flags that every command accepts. */
export const GLOBAL_FLAGS: readonly (ManifestParameter & { readonly flag: string })[] = [
  {
    key: 'format',
    flag: 'format',
    type: 'string',
    values: FORMATS,
    default: 'json',
    help: 'json: the full answer. outline: short form for models. text: just the answer. quiet: only the exit code.',
  },
  { key: 'json', flag: 'json', type: 'boolean', help: 'Short for --format json.' },
  {
    key: 'pretty',
    flag: 'pretty',
    type: 'boolean',
    help: 'Indented JSON; the default on a terminal.',
  },
  {
    key: 'session',
    flag: 'session',
    type: 'string',
    default: 'default',
    help: 'Session to use; also DESKTERITY_SESSION.',
  },
  {
    key: 'no_daemon',
    flag: 'no-daemon',
    type: 'boolean',
    help: 'Run everything in this process; also DESKTERITY_NO_DAEMON=1.',
  },
  {
    key: 'sandbox_scope',
    flag: 'sandbox-scope',
    type: 'string',
    help: 'Folder that command-line tools may work in; also DESKTERITY_SANDBOX_SCOPE.',
  },
  {
    key: 'no_sandbox',
    flag: 'no-sandbox',
    type: 'boolean',
    help: 'Do not confine command-line tools: each can do everything you can.',
  },
  {
    key: 'tools_dir',
    flag: 'tools-dir',
    type: 'string',
    help: 'Additional folder of tool files; also DESKTERITY_TOOLS_FOLDER.',
  },
  {
    key: 'sync',
    flag: 'sync',
    type: 'boolean',
    help: 'Wait until command-line tools end.',
  },
  {
    key: 'log_to_stderr',
    flag: 'log-to-stderr',
    type: 'boolean',
    help: 'Also print this call’s log on standard error.',
  },
  {
    key: 'verbose',
    flag: 'verbose',
    type: 'boolean',
    help: 'The same, with details.',
  },
  {
    key: 'help',
    flag: 'help',
    short: 'h',
    type: 'boolean',
    help: 'Show help; after a command, for that command.',
  },
  {
    key: 'version',
    flag: 'version',
    short: 'V',
    type: 'boolean',
    help: 'Print the version.',
  },
];

export function isFormat(text: unknown): text is Format {
  return FORMATS.some((format) => format === text);
}
