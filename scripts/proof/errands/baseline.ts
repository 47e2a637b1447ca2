import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../tests/program-copy.ts';
import { BASELINE } from './errand.ts';

const run = promisify(execFile);

/** The program of {@link BASELINE}, built once from the history of this repository. */
export async function baselineProgram(): Promise<string> {
  const folder = join(ROOT, '.cache/errands', BASELINE);
  const entry = join(folder, 'dist/desk.cjs');
  if (existsSync(entry)) return entry;
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'source.tar');
  await run('git', ['archive', '--output', archive, BASELINE], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules')).catch(() => undefined);
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  return entry;
}
