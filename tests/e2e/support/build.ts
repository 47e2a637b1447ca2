import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const DIST = join(ROOT, 'dist');
const COPY_ATTEMPTS = 5;

/**
 * The folder with the built program: `dist/`, built first if it is missing or older than the sources, and copied, because another build in the
 * checkout would remove its chunks during a test.
 */
export async function builtProgram(): Promise<{ readonly folder: string; readonly entry: string }> {
  if (await isStale()) await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.mjs')]);
  const folder = await mkdtemp(join(tmpdir(), 'deskterity-e2e-'));
  for (let attempt = 1; ; attempt++) {
    try {
      await cp(DIST, join(folder, 'dist'), { recursive: true, force: true });
      await installExtras(folder);
      return { folder, entry: join(folder, 'dist', 'desk.cjs') };
    } catch (error) {
      if (attempt === COPY_ATTEMPTS) throw error;
    }
  }
}

/** Installs what the package has in addition to its bundles: tool files, and native code as npm installs it. */
async function installExtras(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  for (const name of ['tools', 'node_modules/koffi', 'node_modules/@koromix'])
    await symlink(join(ROOT, name), join(folder, name)).catch((error: unknown) => {
      // An earlier attempt has created it.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
}

async function isStale(): Promise<boolean> {
  const built = await stat(join(DIST, 'host.js')).catch(() => undefined);
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
