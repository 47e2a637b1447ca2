import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { UsageError } from '../../arguments/usage-error.ts';

/** Longest token; a larger file is some other file. */
const LONGEST_TOKEN_BYTES = 4096;
/** What group and others may do with a file. */
const OTHERS = 0o077;

/** The token that HTTP clients must show, from a file or else from the caller's variable. @throws UsageError */
export async function tokenOf(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [text, from] =
    file === undefined
      ? [environment['DESKTERITY_HTTP_TOKEN'], 'DESKTERITY_HTTP_TOKEN']
      : [await contentOf(file), '--token-file'];
  // An empty variable is as good as none; an empty file was meant to hold something.
  if (text === undefined || (text === '' && file === undefined)) return undefined;
  if (/^[\u0021-\u007E]+$/.test(text)) return text;
  throw new UsageError(
    'mcp',
    `The token of ${from} is empty, or has characters that cannot be in a header.`,
    'Use one line of letters, digits and signs, such as "openssl rand -hex 32" prints.',
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
    throw new UsageError('mcp', `The file of --token-file cannot be read (${code}).`, 'Check its path.');
  }
  throw new UsageError('mcp', 'The file of --token-file is too large for a token.', 'Check its path.');
}

/** As for keys of ssh: a file of the user's own that others can read is a mistake. Systems without owners have no such bits. */
async function requireOwn(file: FileHandle, path: string): Promise<void> {
  const facts = await file.stat();
  if (!facts.isFile() || facts.uid !== process.getuid?.() || (facts.mode & OTHERS) === 0) return;
  throw new UsageError(
    'mcp',
    'Others than you can read the file of --token-file.',
    `Make it yours alone: chmod 600 ${quoted(path)}.`,
  );
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
