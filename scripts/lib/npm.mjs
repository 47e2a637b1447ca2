import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './progress.mjs';
import { run } from './run.mjs';

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/**
 * Why the installed packages differ from the lock file, or undefined if they agree. Compares contents, because a checkout changes times even where
 * contents are the same.
 */
export function installedDiffers(locked, installed) {
  if (installed === undefined) return 'node_modules is missing';
  for (const [path, wanted] of Object.entries(locked)) {
    if (path === '' || wanted.link === true) continue;
    const found = installed[path];
    if (found === undefined && wanted.optional === true) continue;
    if (found === undefined) return `${path} is missing`;
    if (found.version !== wanted.version)
      return `${path} is ${found.version}, the lock file says ${wanted.version}`;
  }
  const extra = Object.keys(installed).find((path) => locked[path] === undefined);
  return extra === undefined ? undefined : `${extra} is not in the lock file`;
}

/** The same for a folder with a lock file. */
export function nodeModulesDiffer(folder) {
  const locked = readPackages(join(folder, 'package-lock.json'));
  if (locked === undefined)
    throw new SetupError(`${join(folder, 'package-lock.json')} is missing or broken.`);
  return installedDiffers(locked, readPackages(join(folder, 'node_modules', '.package-lock.json')));
}

/** The npm that started us, if any (it may not be on PATH), else the one on PATH. */
export function npmCommand(env = process.env) {
  const script = env.npm_execpath;
  if (script !== undefined && /npm-cli\.[cm]?js$/.test(script) && existsSync(script)) {
    return { command: process.execPath, prefix: [script] };
  }
  return { command: 'npm', prefix: [] };
}

/** Installs a folder's locked packages if the installed ones differ. Install scripts are never run: no package here needs one. */
export async function ensureNodeModules({ folder, label, progress }) {
  const why = nodeModulesDiffer(folder);
  if (why === undefined) return false;
  progress.say(`npm packages${label}: installing (${why})`);
  const { command, prefix } = npmCommand();
  const flags = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const stop = progress.heartbeat(`installing npm packages${label}`);
  let result;
  for (const attempt of [1, 2]) {
    result = await run(command, [...prefix, ...flags], { cwd: folder, timeoutMs: 600_000 });
    if (result.code === 0) break;
    if (attempt === 1) progress.say('npm ci failed; trying once more');
  }
  stop();
  if (result.code !== 0) {
    const lines = result.output.trim().split('\n');
    const shown = lines.length > 40 ? [...lines.slice(0, 25), '…', ...lines.slice(-10)] : lines;
    throw new SetupError(`npm ci failed in ${folder} (exit ${result.code}):\n${shown.join('\n')}`);
  }
  progress.say(`npm packages${label}: done`);
  return true;
}
