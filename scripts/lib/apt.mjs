import { appendFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './progress.mjs';
import { run } from './run.mjs';

const LOG = fileURLToPath(new URL('../../.cache/setup/apt.log', import.meta.url));
const LISTS = '/var/lib/apt/lists';
const DAY_MS = 24 * 3600 * 1000;
const ENVIRONMENT = ['DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C.UTF-8'];
const OPTIONS = ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0', '-o', 'APT::Status-Fd=3'];

/** Whether package lists must be fetched: there are none, or they are more than a day old. */
export function listsAreOld(folder = LISTS, now = Date.now()) {
  try {
    const hasLists = readdirSync(folder).some((name) => /_Packages(\.\w+)?$/.test(name));
    // The files have the server's times; the folders have ours.
    const fetchedAt = Math.max(...[folder, `${folder}/partial`].map((path) => statSync(path).mtimeMs));
    return !hasLists || now - fetchedAt > DAY_MS;
  } catch {
    return true;
  }
}

/** Parses one line of apt's status protocol: `pmstatus:xvfb:62.5:Unpacking xvfb (amd64)`. */
export function parseStatusLine(line) {
  const match = /^(dlstatus|pmstatus|pmerror):([^:]*(?::(?:amd64|arm64|i386|all))?):([\d.]+):(.*)$/.exec(
    line,
  );
  if (match === null) return undefined;
  const [, kind, subject, percent, text] = match;
  return { kind, subject, percent: Number(percent), text: text.trim() };
}

/** The lines of apt's output that describe errors. */
export function errorLines(output) {
  const lines = output.split('\n').filter((line) => /^(E|W|Err|dpkg|pmerror)\b.*:|^Err:/.test(line));
  const errors = lines.filter((line) => !line.startsWith('W:'));
  return (errors.length > 0 ? errors : output.split('\n').slice(-10)).slice(-12).join('\n').trim();
}

/** Prints at most one line every three seconds, and the first and last of each phase. */
function statusPrinter(progress) {
  let saidAt = 0;
  let phase = '';
  return (line) => {
    const status = parseStatusLine(line);
    if (status === undefined) {
      const size = /^Need to get (.+) of archives|^After this operation, (.+ will be used)/.exec(line);
      if (size !== null) progress.say(`apt: ${line}`);
      return;
    }
    if (status.kind !== phase || Date.now() - saidAt >= 3000) {
      phase = status.kind;
      saidAt = Date.now();
      const doing = status.kind === 'dlstatus' ? 'downloading' : 'installing';
      progress.say(`apt: ${doing} ${Math.floor(status.percent)} % – ${status.text}`);
    }
  };
}

async function apt(asRoot, args, { label, progress, timeoutMs }) {
  const stop = progress.heartbeat(label);
  // apt makes the status descriptor non-blocking; package scripts that share it would sometimes fail with "I/O error".
  // sudo closes descriptors from 3 on, so the status pipe is created inside.
  const shell = ['sh', '-c', 'exec "$@" 3>&1 1>&2', 'sh'];
  const [command, ...rest] = [...asRoot, 'env', ...ENVIRONMENT, ...shell, 'apt-get', ...OPTIONS, ...args];
  // sudo remembers a password for each terminal session, so its child stays in ours.
  const result = await run(command, rest, {
    timeoutMs,
    onLine: statusPrinter(progress),
    ownSession: asRoot.length === 0,
  });
  stop();
  keepLog(args, result);
  return result;
}

/** Saves the whole output, for finding out why an installation failed. */
function keepLog(args, { output, code }) {
  try {
    mkdirSync(path.dirname(LOG), { recursive: true });
    appendFileSync(LOG, `\n==== apt-get ${args.join(' ')}\n${output}==== exit ${code}\n`);
  } catch {
    // A log that cannot be written must not stop the installation.
  }
}

/** `apt-get update`, waiting for another program that holds the lists. */
async function update(asRoot, progress) {
  progress.say('apt: fetching package lists');
  let result;
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    result = await apt(asRoot, ['update'], { label: 'fetching package lists', progress, timeoutMs: 300_000 });
    if (result.code === 0 || !/Could not get lock|Unable to lock/.test(result.output)) break;
    progress.say('apt: another program holds the package lists; waiting 15 s');
    await new Promise((resolve) => {
      setTimeout(resolve, 15_000);
    });
  }
  if (result.code !== 0) {
    progress.say(`apt: the lists could not all be fetched:\n${errorLines(result.output)}`);
  }
  return result;
}

/** Which of `packages` the configured archives offer. */
async function offered(packages) {
  const result = await run('apt-cache', ['policy', ...packages], {
    timeoutMs: 60_000,
    env: { ...process.env, LC_ALL: 'C' },
  });
  return parsePolicy(result.stdout);
}

/** Names with a candidate in the output of `apt-cache policy`. */
export function parsePolicy(text) {
  const names = new Set();
  let current;
  for (const line of text.split('\n')) {
    const heading = /^(\S+):$/.exec(line);
    if (heading !== null) current = heading[1];
    const candidate = /^\s+Candidate: (\S+)/.exec(line);
    if (current !== undefined && candidate !== null && candidate[1] !== '(none)') names.add(current);
  }
  return names;
}

/**
 * Installs packages with apt. Names that the archives do not offer are reported, left out and returned.
 * `asRoot` is the prefix of the command: nothing for root, `sudo -n` otherwise.
 */
export async function aptInstall(packages, { asRoot, progress }) {
  if (listsAreOld()) await update(asRoot, progress);
  for (let attempt = 1; ; attempt += 1) {
    const known = await offered(packages);
    const wanted = packages.filter((name) => known.has(name));
    const missing = packages.filter((name) => !known.has(name));
    if (missing.length > 0 && attempt === 1) {
      await update(asRoot, progress);
      continue;
    }
    if (missing.length > 0) progress.say(`apt: not offered here, left out: ${missing.join(', ')}`);
    if (wanted.length === 0) return missing;
    const args = ['install', '-y', '--no-install-recommends', ...wanted];
    const result = await apt(asRoot, args, {
      label: 'installing system packages',
      progress,
      timeoutMs: 1_500_000,
    });
    if (result.code === 0) return missing;
    if (attempt >= 2) {
      throw new SetupError(
        `apt-get could not install the system packages:\n${errorLines(result.output)}\n` +
          `Everything it said: ${path.relative(process.cwd(), LOG)}. To try by hand:\n  ${[...asRoot, 'apt-get', ...args].join(' ')}`,
      );
    }
    progress.say(`apt: the installation failed; once more with fresh lists\n${errorLines(result.output)}`);
    if (/dpkg was interrupted|dpkg --configure -a/.test(result.output)) {
      const [command, ...rest] = [...asRoot, 'env', ...ENVIRONMENT, 'dpkg', '--configure', '-a'];
      await run(command, rest, { timeoutMs: 600_000, ownSession: asRoot.length === 0 });
    }
    await update(asRoot, progress);
  }
}
