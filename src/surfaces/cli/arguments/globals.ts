import type { ManifestParameter } from './manifest.ts';

/** Ways to print an answer. */
export const FORMATS = ['json', 'human', 'outline', 'text', 'quiet'] as const;
export type Format = (typeof FORMATS)[number];

type GlobalFlag = ManifestParameter & { readonly flag: string };

/** Flags that every command accepts. */
export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  text(
    'format',
    'human: for people, the default on a terminal. json: the full answer, the default elsewhere. outline: short form for models. text: just the answer. quiet: only the exit code. Also DESKTERITY_FORMAT.',
    { values: FORMATS },
  ),
  toggle('json', 'Short for --format json.'),
  toggle('pretty', 'Indented JSON; the default on a terminal.'),
  toggle('pager', 'On a terminal: show the answer in $PAGER, or in less.'),
  text('session', 'Session to use; also DESKTERITY_SESSION.', { default: 'default' }),
  toggle('no-daemon', 'Run the command in this process, without the daemon; also DESKTERITY_NO_DAEMON=1.'),
  text('sandbox-scope', 'Folder that command-line tools may work in; also DESKTERITY_SANDBOX_SCOPE.'),
  toggle('no-sandbox', 'Do not confine command-line tools: each can do everything you can.'),
  text('tools-dir', 'Additional folder of tool files; also DESKTERITY_TOOLS_FOLDER.'),
  toggle('sync', 'Wait until command-line tools end.'),
  toggle('log-to-stderr', 'Also print this call’s log on standard error.'),
  toggle('verbose', 'The same, with details.'),
  toggle('help', 'Show help; after a command, for that command.', 'h'),
  toggle('version', 'Print the version.', 'V'),
];

function text(
  flag: string,
  help: string,
  facts: Pick<ManifestParameter, 'values' | 'default'> = {},
): GlobalFlag {
  return { key: flag.replaceAll('-', '_'), flag, type: 'string', ...facts, help };
}

function toggle(flag: string, help: string, short?: string): GlobalFlag {
  const key = flag.replaceAll('-', '_');
  return { key, flag, type: 'boolean', help, ...(short === undefined ? {} : { short }) };
}

export function isFormat(text: unknown): text is Format {
  return FORMATS.some((format) => format === text);
}
