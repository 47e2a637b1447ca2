/**
 * Adds to package-lock.json the optional packages for other platforms that are not in the registry npm used when it wrote the lock. Without them
 * `npm ci` reports that the lock is out of step. Run it after `npm install`; `--check` changes nothing. The platform of such a package is in its name:
 * `@oxlint/binding-linux-arm64-musl`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError, main } from './lib/progress.mjs';
import { root } from './setup.mjs';

const CPUS = {
  arm: 'arm',
  arm64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
};
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];

/** Operating system, processor and C library that a platform package is for. */
export function platformOf(name) {
  const match = new RegExp(`(?:^|[/-])(${SYSTEMS.join('|')})-([a-z0-9]+)(?:-([a-z]+))?$`).exec(name);
  const cpu = match === null ? undefined : CPUS[match[2]];
  if (cpu === undefined)
    throw new SetupError(`${name} is missing from package-lock.json, and its name contains no platform.`, 1);
  const libc =
    match[3] === undefined || match[1] !== 'linux'
      ? undefined
      : match[3].startsWith('musl')
        ? 'musl'
        : 'glibc';
  return { os: [match[1]], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
}

/** The lock entries to add: `{path: entry}`. */
export function missingEntries(packages) {
  const added = {};
  for (const [owner, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const places = [`${owner}/node_modules/${name}`, `node_modules/${name}`];
      if (places.some((place) => packages[place] !== undefined)) continue;
      const { os, cpu, libc } = platformOf(name);
      const dev = entry.dev === true ? { dev: true } : {};
      added[`node_modules/${name}`] = { version, cpu, ...dev, ...(libc && { libc }), optional: true, os };
    }
  }
  return added;
}

if (process.argv[1] !== undefined && path.basename(process.argv[1]) === 'complete-lock.mjs') {
  await main(() => {
    const file = path.join(root, 'package-lock.json');
    const lock = JSON.parse(readFileSync(file, 'utf8'));
    const added = missingEntries(lock.packages);
    const count = Object.keys(added).length;
    if (count === 0) return 0;
    if (process.argv.includes('--check')) {
      throw new SetupError(
        `package-lock.json lacks ${count} platform packages; run: node scripts/complete-lock.mjs`,
        1,
      );
    }
    const all = Object.entries({ ...lock.packages, ...added });
    lock.packages = Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
    console.log(`package-lock.json: added ${count} platform packages`);
    return 0;
  });
}
