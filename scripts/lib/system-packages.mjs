import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { importTs } from '../run-ts.mjs';
import { aptInstall } from './apt.mjs';
import { confirm, personPresent } from './ask.mjs';
import { SetupError } from './progress.mjs';
import { run } from './run.mjs';

/** How each package manager lists what is installed: all names in one call, or one call per name. */
const PROBES = {
  dnf: (name) => ['rpm', ['-q', '--whatprovides', name]],
  zypper: (name) => ['rpm', ['-q', '--whatprovides', name]],
  pacman: (name) => ['pacman', ['-Q', name]],
  apk: (name) => ['apk', ['info', '-e', name]],
};

/** Installed names in the output of `dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n'`. */
export function parseDpkg(text) {
  const names = text
    .split('\n')
    .map((line) => /^[ih]i\s+(\S+)/.exec(line)?.[1])
    .filter((name) => name !== undefined);
  return new Set(names);
}

async function missingPackages(family, packages) {
  if (family === 'apt') {
    const args = ['-W', '-f=${db:Status-Abbrev} ${Package}\n', ...packages];
    const installed = parseDpkg((await run('dpkg-query', args, { timeoutMs: 60_000 })).stdout);
    return packages.filter((name) => !installed.has(name));
  }
  const missing = [];
  for (const name of packages) {
    const [command, args] = PROBES[family](name);
    if ((await run(command, args, { timeoutMs: 60_000 })).code !== 0) missing.push(name);
  }
  return missing;
}

function readOsRelease() {
  for (const file of ['/etc/os-release', '/usr/lib/os-release']) {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      // Try the next one.
    }
  }
  return '';
}

/** The prefix of a command that needs root, or undefined if we cannot become root. */
async function rootPrefix(canAsk) {
  if (process.getuid?.() === 0) return [];
  if ((await run('sudo', ['-n', 'true'], { timeoutMs: 10_000, ownSession: false })).code === 0)
    return ['sudo', '-n'];
  if (!canAsk) return undefined;
  process.stderr.write('Installing system packages needs root; sudo may ask for your password.\n');
  return spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0 ? ['sudo', '-n'] : undefined;
}

/**
 * Installs the missing packages of `groups`, and prints each with its purpose.
 * Returns what this machine cannot offer: `[{group, reason}]`.
 */
export async function ensureSystemPackages({ groups, assumeYes, skipInstall, progress }) {
  const table = await importTs('src/platform/linux/system-packages.ts');
  const distribution = table.readOsRelease(readOsRelease());
  const { family } = distribution;
  const { unavailable } = table.packagesFor(groups, distribution);
  for (const { group, reason } of unavailable) progress.say(`${group} is left out: ${reason}`);
  if (family === undefined) return unavailable;

  const wanted = table.packagesFor(groups, distribution).packages;
  const missing = await missingPackages(family, wanted);
  if (missing.length === 0) {
    progress.say('system packages: all installed');
    return unavailable;
  }
  progress.say('system packages missing:');
  for (const group of groups) {
    const own = table.packagesFor([group], distribution).packages.filter((name) => missing.includes(name));
    if (own.length > 0) progress.say(`  ${own.join(', ')} – for ${table.groupPurpose(group)}`);
  }
  if (skipInstall) {
    progress.say('system packages: not installed, as requested');
    return unavailable;
  }

  const leftOut = await install(missing, { table, family, assumeYes, progress });
  const groupsLeft = groups.filter((group) =>
    table.packagesFor([group], distribution).packages.some((name) => leftOut.includes(name)),
  );
  const reason = 'This distribution does not offer all the packages it needs.';
  return [...unavailable, ...groupsLeft.map((group) => ({ group, reason }))];
}

/** Installs packages by their Debian names, those that are missing. */
export async function ensurePackages(names, progress) {
  const table = await importTs('src/platform/linux/system-packages.ts');
  const { family } = table.readOsRelease(readOsRelease());
  if (family !== 'apt')
    throw new SetupError(
      'The packages of this proof have the names of Debian, and this is another distribution.',
    );
  const missing = await missingPackages(family, names);
  if (missing.length === 0) return;
  progress.say(`system packages missing: ${missing.join(', ')}`);
  const leftOut = await install(missing, { table, family, assumeYes: false, progress });
  if (leftOut.length > 0) throw new SetupError(`This distribution does not offer ${leftOut.join(', ')}.`);
}

/** Installs packages, and returns those that this distribution does not offer. */
async function install(missing, { table, family, assumeYes, progress }) {
  const byHand = [table.updateCommand(family), table.installCommand(family, missing)]
    .filter((line) => line !== undefined)
    .map((line) => `  sudo ${line}`)
    .join('\n');
  if (family !== 'apt') {
    throw new SetupError(
      `Install them first (they are installed automatically only on Debian and Ubuntu):\n${byHand}`,
    );
  }
  const person = personPresent();
  if (person && !assumeYes && !(await confirm('Install these system packages with apt-get?'))) {
    throw new SetupError(`Nothing was installed. To do it yourself:\n${byHand}`, 10);
  }
  const asRoot = await rootPrefix(person);
  if (asRoot === undefined) {
    throw new SetupError(
      `Installing them needs root, and sudo is not available without a password here. Run:\n${byHand}`,
    );
  }
  const leftOut = await aptInstall(missing, { asRoot, progress });
  const still = (await missingPackages(family, missing)).filter((name) => !leftOut.includes(name));
  if (still.length > 0)
    throw new SetupError(`apt-get reported success, but these are missing: ${still.join(', ')}`);
  progress.say(`system packages: installed ${missing.length - leftOut.length}`);
  return leftOut;
}
