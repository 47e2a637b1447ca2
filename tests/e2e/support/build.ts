import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProgram, ROOT } from '../../program-copy.ts';

/** A temporary folder with the built program, what the package has in addition to its bundles, and native code as npm installs it. */
export async function builtProgram(): Promise<{ readonly folder: string; readonly entry: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'deskterity-e2e-'));
  await copyProgram(join(folder, 'dist'));
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  for (const name of ['tools', 'node_modules/koffi', 'node_modules/@koromix'])
    await symlink(join(ROOT, name), join(folder, name));
  return { folder, entry: join(folder, 'dist', 'desk.cjs') };
}
