import { open, readdir, readlink, stat } from 'node:fs/promises';
import path from 'node:path';

export interface ProcessVariables {
  /** Program name from the kernel's `comm`: at most 15 characters. */
  readonly program: string;
  /** Only the wanted ones. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ProcessSearch {
  readonly wanted: ReadonlySet<string>;
  /** Default `/proc`. */
  readonly folder?: string | undefined;
  readonly limitMs?: number | undefined;
}

const LIMIT_MS = 1000;
/** Per process: reading its memory takes microseconds, or blocks forever while that memory is locked. */
const ONE_LIMIT_MS = 150;
const MOST_PROCESSES = 10_000;
const MOST_BYTES = 256 * 1024;
const PIECE_BYTES = 16 * 1024;
/** Reads of one process, at most. */
const MOST_STEPS = MOST_BYTES / PIECE_BYTES + 10;
const LONGEST_VALUE = 4096;
/** Fewer than Node's file-system threads, so that other work is not starved. */
const AT_ONCE = 3;

/** Processes whose files did not answer in time. Each blocks a thread until it does, so none is read twice. */
const stuck = new Set<string>();

/**
 * The initial environment variables of this user's processes, where readable. Processes in other containers are left out, as their paths
 * mean nothing here. Only the wanted variables are kept, because environments hold secrets. Never rejects.
 * @returns `undefined` if there are too many processes or time ran out: a partial answer would look complete
 */
export async function processVariables(
  search: ProcessSearch,
): Promise<readonly ProcessVariables[] | undefined> {
  const { wanted, folder = '/proc', limitMs = LIMIT_MS } = search;
  const end = performance.now() + limitMs;
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (names.length > MOST_PROCESSES) return undefined;
  const home = await inTime(mountsOf(path.join(folder, 'self')), path.join(folder, 'self'));
  const found: ProcessVariables[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let name = names[next++]; name !== undefined && performance.now() < end; name = names[next++]) {
      const place = path.join(folder, name);
      if (stuck.has(place)) continue;
      const entry = await inTime(look(place, wanted, home), place);
      if (entry !== undefined) found.push(entry);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return performance.now() < end ? found : undefined;
}

async function look(
  place: string,
  wanted: ReadonlySet<string>,
  home: string | undefined,
): Promise<ProcessVariables | undefined> {
  try {
    if ((await stat(place)).uid !== process.getuid?.()) return undefined;
    const variables = pick(await contentOf(path.join(place, 'environ')), wanted);
    if (Object.keys(variables).length === 0) return undefined;
    const mounts = await mountsOf(place);
    if (mounts !== undefined && home !== undefined && mounts !== home) return undefined;
    return { program: (await contentOf(path.join(place, 'comm'))).toString('utf8').trim(), variables };
  } catch {
    // It has exited, or its environment is not readable.
    return undefined;
  }
}

/** The mount namespace of a process; `undefined` if it cannot be read. */
function mountsOf(place: string): Promise<string | undefined> {
  return readlink(path.join(place, 'ns', 'mnt')).catch(() => undefined);
}

async function contentOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length < MOST_BYTES;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES));
      if (bytesRead === 0) return Buffer.concat(pieces);
      length += bytesRead;
      pieces.push(buffer.subarray(0, bytesRead));
    }
    const bytes = Buffer.concat(pieces);
    // The last entry may have been cut.
    return bytes.subarray(0, Math.max(0, bytes.lastIndexOf(0)));
  } finally {
    await handle.close();
  }
}

/** The wanted variables with a usable value; for duplicates the first one, as programs see it. */
function pick(bytes: Buffer, wanted: ReadonlySet<string>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of bytes.toString('utf8').split('\0')) {
    const name = entry.slice(0, Math.max(0, entry.indexOf('=')));
    if (!wanted.has(name) || Object.hasOwn(found, name)) continue;
    const value = entry.slice(name.length + 1);
    if (value !== '' && value.length <= LONGEST_VALUE && !/[\p{Cc}\uFFFD]/u.test(value)) found[name] = value;
  }
  return found;
}

/** @returns `undefined` if the work is blocked: on a busy machine everything is late, so it is that only if as many steps that are never blocked overtake it */
async function inTime<T>(work: Promise<T>, place: string): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      void otherSteps().then(() => resolve('late'));
      // Blocked reads may occupy all threads.
      timer = setTimeout(() => resolve('late'), LIMIT_MS);
    }, ONE_LIMIT_MS);
  });
  const first = await Promise.race([work, late]);
  clearTimeout(timer);
  if (first !== 'late') return first;
  stuck.add(place);
  void work.finally(() => stuck.delete(place));
  return undefined;
}

async function otherSteps(): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) await stat('/proc/self').catch(() => undefined);
}
