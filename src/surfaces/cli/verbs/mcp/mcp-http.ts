import type { HttpChoices } from '../../../../wire/client-frames.ts';
import { serverGone } from './mcp-pipe.ts';
import { printAnswer } from '../print-answer.ts';
import type { VerbContext } from '../verb.ts';
import { once } from 'node:events';
import { tryToWrite } from '../../printing/output.ts';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../arguments/usage-error.ts';

const DEFAULT_PORT = 8741;
const DEFAULT_BIND = '127.0.0.1';

/** The options of `desk mcp --http`. @throws UsageError */
export async function httpChoices({ input, environment }: VerbContext): Promise<HttpChoices> {
  const { port, bind, sse, token_file: tokenFile, toolsets, folders } = input;
  return {
    port: typeof port === 'number' ? port : DEFAULT_PORT,
    bind: typeof bind === 'string' ? bind : DEFAULT_BIND,
    isSseServed: sse === true,
    token: await tokenOf(typeof tokenFile === 'string' ? tokenFile : undefined, environment),
    mostToolsets: Array.isArray(toolsets) && toolsets.length > 0 ? toolsets : undefined,
    folders: await foldersOf(Array.isArray(folders) ? folders : []),
    isSessionIsolated: input['session_isolation'] === true,
    isEchoed: input['echo'] === true,
  };
}

/** Colours of the prefixes, by their first character: received, sent, refused. */
const COLOURS: Readonly<Record<string, string>> = { '→': '36', '←': '32', '⚠': '33' };

/** Prints what clients send and receive on standard error, with coloured prefixes if that is a terminal. */
export function echoTo({ stderr, environment }: VerbContext): (text: string) => void {
  const isColoured = 'isTTY' in stderr && stderr.isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  return (text) => {
    const [, prefix, rest = ''] = /^(\S+ \w+:)([^]*)$/.exec(text) ?? [];
    const colour = COLOURS[text.charAt(0)];
    const shown =
      isColoured && prefix !== undefined && colour !== undefined
        ? `\u001B[${colour}m${prefix}\u001B[0m${rest}`
        : text;
    void tryToWrite(stderr, `${shown}\n`);
  };
}

const FOLDER = /^([a-z0-9][\w.-]{0,63})=(.+)$/i;

/** @throws UsageError */
async function foldersOf(texts: readonly string[]): Promise<HttpChoices['folders']> {
  const folders = await Promise.all(texts.map(folderIn));
  const names = folders.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return folders;
  throw new UsageError('mcp', `--folder names ${twice} twice.`, 'Give each folder a name of its own.');
}

async function folderIn(text: string): Promise<HttpChoices['folders'][number]> {
  const [, name, folder] = FOLDER.exec(text) ?? [];
  if (name === undefined || folder === undefined)
    throw new UsageError(
      'mcp',
      `--folder contains ${JSON.stringify(text)}, which is not NAME=DIR.`,
      'Write a name of letters and digits and a folder, such as web=/home/ada/web.',
    );
  const path = resolve(folder);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isDirectory() === true) return { name: name.toLowerCase(), folder: path };
  throw new UsageError('mcp', `The folder of --folder ${text} does not exist.`, 'Check its path.');
}

/** Prints the address and waits until interrupted or the server ends. */
export async function serveHttp(
  context: VerbContext,
  { url, ended }: { readonly url: string; readonly ended: Promise<void> },
): Promise<number> {
  const { signal } = context;
  const printed = await printAnswer(context, 'mcp', { url }, url);
  if (printed !== 0) return printed;
  if (!signal.aborted) await Promise.race([ended, once(signal, 'abort')]);
  if (signal.aborted) return 0;
  throw serverGone('The daemon has exited, and the HTTP server with it.');
}

/** Longest token; a larger file cannot be a token file. */
const LONGEST_TOKEN_BYTES = 4096;
/** File mode bits of group and others. */
const OTHERS = 0o077;

/** The bearer token for HTTP clients, from a file or else from the environment. @throws UsageError */
export async function tokenOf(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [text, from] =
    file === undefined
      ? [environment['DESKTERITY_HTTP_TOKEN'], 'DESKTERITY_HTTP_TOKEN']
      : [await contentOf(file), '--token-file'];
  // An empty variable counts as unset; an empty file is a mistake.
  if (text === undefined || (text === '' && file === undefined)) return undefined;
  if (/^[\u0021-\u007E]+$/.test(text)) return text;
  throw new UsageError(
    'mcp',
    `The token from ${from} is empty or contains characters that are not allowed in a header.`,
    'Use one line of letters, digits and punctuation, such as the output of "openssl rand -hex 32".',
  );
}

async function contentOf(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      await requireOwn(file, path);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(LONGEST_TOKEN_BYTES + 1));
      if (bytesRead <= LONGEST_TOKEN_BYTES) return buffer.toString('utf8', 0, bytesRead).trim();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageError(
      'mcp',
      `The file given by --token-file cannot be read (${code}).`,
      'Check its path.',
    );
  }
  throw new UsageError(
    'mcp',
    'The file given by --token-file is too large to be a token.',
    'Check its path.',
  );
}

/** Like ssh keys: the user's own token file must not be readable by others. Systems without file owners have no such bits. */
async function requireOwn(file: FileHandle, path: string): Promise<void> {
  const facts = await file.stat();
  if (!facts.isFile() || facts.uid !== process.getuid?.() || (facts.mode & OTHERS) === 0) return;
  throw new UsageError(
    'mcp',
    'Other users can read the file given by --token-file.',
    `Restrict it to yourself: chmod 600 ${quoted(path)}.`,
  );
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
