import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** The version that was compared; another one is another peer. */
export const CUA_VERSION = '0.28.2';
const PACKAGE = '@trycua/cua-driver';
/** Outside the packages of this project, which never depends on it. */
const FOLDER = '.cache/peers/cua-driver';
const LIMIT_MS = 180_000;

/** The folder of the package, installed on the first call. @throws if npm cannot install it */
export async function installedCua(): Promise<string> {
  const folder = path.resolve(FOLDER, CUA_VERSION);
  const installed = path.join(folder, 'node_modules', ...PACKAGE.split('/'));
  if (existsSync(path.join(installed, 'dist', 'index.js'))) return installed;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${PACKAGE}@${CUA_VERSION}`];
  await promisify(execFile)('npm', args, { cwd: folder, timeout: LIMIT_MS });
  return installed;
}
