import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Found by its package.json: a proof is bundled into a file in another folder before it runs. */
export const ROOT = repositoryAbove(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const COPY_ATTEMPTS = 5;

/** The files of the program that operations and terminals need. */
export const HOLDER_FILES = ['holder.js', 'spawn-worker.js'];

/**
 * Copies the built program into `folder`: `dist/`, built first if it is missing or older than the sources. It is copied, because another build in the
 * checkout would remove its chunks during a test; it is not built for each test file, because that takes a second of processor time.
 * @param choose whether to copy a file of the root of `dist/`; folders are always copied
 */
export async function copyProgram(
  folder: string,
  choose: (name: string) => boolean = () => true,
): Promise<void> {
  await ensureBuilt();
  const isChosen = (file: string): boolean => {
    const name = relative(DIST, file);
    return name === '' || !/^[\w-]+\.\w+$/.test(name) || choose(name);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      await cp(DIST, folder, { recursive: true, force: true, filter: isChosen });
      return;
    } catch (error) {
      if (attempt === COPY_ATTEMPTS) throw error;
    }
  }
}

let building: Promise<void> = Promise.resolve();

/** Building empties the folder first, so that callers at the same time wait for one build. */
function ensureBuilt(): Promise<void> {
  building = buildAfter(building);
  return building;
}

async function buildAfter(earlier: Promise<void>): Promise<void> {
  await earlier;
  if (await isStale()) await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.mjs')]);
}

function repositoryAbove(folder: string): string {
  const isTop = existsSync(join(folder, 'package.json')) || dirname(folder) === folder;
  return isTop ? folder : repositoryAbove(dirname(folder));
}

async function isStale(): Promise<boolean> {
  const built = await stat(join(DIST, 'host.cjs')).catch(() => undefined);
  return built === undefined || built.mtimeMs < (await newest(join(ROOT, 'src')));
}

async function newest(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const times = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mtimeMs),
  );
  return Math.max(0, ...times);
}
