/**
 * Prepares a fresh clone, see USAGE.
 * The demo and the tests call it; run it alone to prepare a machine without running anything.
 * Until the npm packages are installed, it uses only Node's own modules.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readArguments } from './lib/arguments.mjs';
import { ensureNodeModules, nodeModulesDiffer } from './lib/npm.mjs';
import { SetupError, createProgress, main } from './lib/progress.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const USAGE = `Usage: npm run setup -- [demo|test|tasks] [--yes] [--skip-install]
Installs what the demo (the default), the tests or the tasks in examples/ need: npm packages into node_modules, and system packages.
On a terminal it asks first.
  --yes           install without asking
  --skip-install  install nothing; only name what is missing`;

export const GROUPS = {
  demo: ['private-desktop', 'demo-gtk', 'demo-qt'],
  test: [
    'private-desktop',
    'demo-gtk',
    'demo-qt-light',
    'demo-qt',
    'gtk4-application',
    'fixtures',
    'wayland',
    'swing',
    'libreoffice',
    'firefox',
    'chromium',
    'test-tools',
    'shells',
    'work',
  ],
  tasks: ['private-desktop', 'tasks'],
};

/** Whether `version` (such as `20.19.0`) satisfies the minimum in package.json. */
export function nodeIsNewEnough(version, floor = [20, 19]) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > floor[0] || (major === floor[0] && minor >= floor[1]);
}

/** @param {{platform?: string, version?: string}} machine */
export function checkMachine({ platform = process.platform, version = process.versions.node } = {}) {
  if (!nodeIsNewEnough(version)) {
    throw new SetupError(
      `Deskterity needs Node.js 20.19 or newer; this is ${version} (${process.execPath}).\n` +
        'Install a newer one from https://nodejs.org or with your version manager, and run the command again.',
    );
  }
  if (platform !== 'linux') {
    const name = { darwin: 'macOS', win32: 'Windows' }[platform] ?? platform;
    throw new SetupError(
      `PLATFORM_UNSUPPORTED: Deskterity does not run on ${name} yet, only on Linux.\n` +
        'Use a Linux machine, a container or a virtual machine with Debian or Ubuntu.',
    );
  }
  if (!existsSync('/proc/self/stat')) {
    throw new SetupError(
      '/proc is not mounted here. Mount it (mount -t proc proc /proc) and run the command again.',
    );
  }
}

/** Checks Node and installs npm and system packages. Returns what the machine cannot offer: `[{group, reason}]`. */
export async function setup({
  purpose,
  groups = GROUPS[purpose],
  assumeYes = false,
  skipInstall = false,
  progress,
}) {
  checkMachine();
  progress.say(`Node ${process.versions.node}`);
  if (!skipInstall) {
    const { confirm, personPresent } = await import('./lib/ask.mjs');
    if (nodeModulesDiffer(root) !== undefined && personPresent() && !assumeYes) {
      const go = await confirm('Install the npm packages of the lock file into node_modules?');
      if (!go) throw new SetupError('Nothing was installed. To do it yourself: npm ci --ignore-scripts', 10);
    }
    await ensureNodeModules({ folder: root, label: '', progress });
  } else if (!existsSync(path.join(root, 'node_modules/esbuild'))) {
    throw new SetupError(
      'The npm packages are not installed. Leave out --skip-install, or run: npm ci --ignore-scripts',
    );
  }
  const { ensureSystemPackages } = await import('./lib/system-packages.mjs');
  return ensureSystemPackages({ groups, assumeYes, skipInstall, progress });
}

if (process.argv[1] !== undefined && pathToFileURL(path.resolve(process.argv[1])).href === import.meta.url) {
  await main(async () => {
    const { values, positionals } = readArguments(USAGE, {
      allowPositionals: true,
      options: { yes: { type: 'boolean' }, 'skip-install': { type: 'boolean' } },
    });
    const [purpose = 'demo', ...rest] = positionals;
    if (!Object.hasOwn(GROUPS, purpose) || rest.length > 0)
      throw new SetupError(`Unknown argument: ${rest[0] ?? purpose}\n${USAGE}`, 5);
    await setup({
      purpose,
      assumeYes: values.yes,
      skipInstall: values['skip-install'],
      progress: createProgress(),
    });
  });
}
