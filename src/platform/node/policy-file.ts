import { lstatSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, isMissing } from '../../model/error-code.ts';
import { isInside } from '../../model/is-inside.ts';
import type { PolicyFileOptions, PolicyFileText } from '../../ports/policy/policy-file.ts';
import { parseToml } from './documents/toml-library.ts';
import { readRegularFile, type RegularFile } from './files.ts';

const LARGEST_BYTES = 256 * 1024;
const WRITABLE_BY_OTHERS = 0o022;
const MOST_KNOWN = 100;

/** Files as they were parsed last: they are read for each call, and hardly ever change. */
const parsed = new Map<string, { readonly bytes: Uint8Array; readonly text: PolicyFileText }>();

/**
 * Reads a policy file; `undefined` if there is none. The user's own file must be one that nobody else, and no confined tool, can change. A project's file
 * can only tighten it; one that belongs to another user is not a project of this user's.
 */
export async function readPolicyFile(
  path: string,
  { isOfProject, scopes }: PolicyFileOptions,
): Promise<PolicyFileText | undefined> {
  try {
    // Synchronously: most of the paths that a call asks about have no file, and each step through Node's thread pool waits for its turn.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const read = await readRegularFile(path, LARGEST_BYTES + 1);
    if (isOfProject && !(await isOwn(path))) return undefined;
    if (read.problem !== undefined) return { problem: `it ${read.problem}` };
    if (read.bytes.length > LARGEST_BYTES) return { problem: `it is larger than ${LARGEST_BYTES} bytes` };
    const problem = isOfProject
      ? await linkProblem(path)
      : (ownerProblem(read.facts) ?? (await placeProblem(path, scopes)));
    return problem === undefined ? parse(path, read.bytes) : { problem };
  } catch (error) {
    // Whoever makes a link to nothing could later put a policy there, and until then there would be none.
    if (isMissing(error)) return (await isThere(path)) ? { problem: 'it is a link to nothing' } : undefined;
    return { problem: `it cannot be read (${errorCode(error) ?? 'unknown'})` };
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

type Facts = Extract<RegularFile, { readonly problem?: undefined }>['facts'];

function ownerProblem({ uid, mode, nlink }: Facts): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (uid !== 0n && uid !== BigInt(user)) return 'it belongs to another user';
  if ((Number(mode) & WRITABLE_BY_OTHERS) !== 0) return 'other users can write to it; run chmod go-w on it';
  return nlink > 1n
    ? 'it has another name in some other folder (a hard link), through which confined tools may be able to write it; copy it'
    : undefined;
}

async function placeProblem(path: string, scopes: readonly string[]): Promise<string | undefined> {
  const linked = await linkProblem(path);
  if (linked !== undefined) return linked;
  const folder = await realpath(dirname(path));
  const user = process.getuid?.();
  if (user !== undefined) {
    const { uid, mode } = await stat(folder);
    if (uid !== 0 && uid !== user) return 'its folder belongs to another user';
    if ((mode & WRITABLE_BY_OTHERS) !== 0) return 'other users can replace it; run chmod go-w on its folder';
  }
  for (const scope of scopes) {
    const real = await realpath(scope).catch(() => scope);
    if (isInside(real, folder))
      return `it is in ${real}, a folder that tools are confined to and so can write; move your settings out of it`;
  }
  return undefined;
}

/** No tool writes the settings folder, but one may write the place that a link leads to. */
async function linkProblem(path: string): Promise<string | undefined> {
  if (!(await lstat(path)).isSymbolicLink()) return undefined;
  const [real, folder] = await Promise.all([realpath(path), realpath(dirname(path))]);
  return dirname(real) === folder
    ? undefined
    : `it is a link to ${real}, outside of its folder, where confined tools may be able to write; copy it`;
}

async function isOwn(path: string): Promise<boolean> {
  const user = process.getuid?.();
  if (user === undefined) return true;
  const { uid } = await stat(dirname(path));
  return uid === 0 || uid === user;
}

/** The same table for the same bytes, so that what was made of it can be kept. */
function parse(path: string, bytes: Uint8Array): PolicyFileText {
  const known = parsed.get(path);
  if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.text;
  const text = parseBytes(bytes);
  parsed.delete(path);
  const [oldest] = parsed.keys();
  if (parsed.size >= MOST_KNOWN && oldest !== undefined) parsed.delete(oldest);
  parsed.set(path, { bytes: Buffer.from(bytes), text });
  return text;
}

function parseBytes(bytes: Uint8Array): PolicyFileText {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { problem: 'it is not UTF-8' };
  }
  const { table, problem } = parseToml(text);
  return problem === undefined ? { table } : { problem: problem.reason, line: problem.line };
}
