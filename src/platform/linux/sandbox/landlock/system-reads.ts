import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { statSync, type Dirent } from 'node:fs';
import type { PathAccess, PathRule } from './landlock.ts';

/** The parts of the system that every confined program may read: programs, libraries, settings without secrets, a few devices. */
export interface SystemReads {
  readonly rules: readonly PathRule[];
  /** Folders of which only parts are covered by rules. */
  readonly partial: readonly string[];
  /** Entries of those folders that no rule covers. */
  readonly withheld: readonly { readonly path: string; readonly kind: 'folder' | 'file' }[];
  /** Links such as `/bin` whose target is covered by a rule. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** Programs and libraries. */
const PROGRAMS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
  '/snap',
];

/** Kernel information that programs read; without kernel debugging interfaces. */
const KERNEL_FACTS = [
  '/proc',
  '/sys/block',
  '/sys/bus',
  '/sys/class',
  '/sys/devices',
  '/sys/fs/cgroup',
  '/sys/kernel/mm',
];

/** The certificates of openSUSE. */
const DATA = ['/var/lib/ca-certificates'];

const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/** Settings with keys and passwords, by path below /etc; files that are not world-readable are withheld anyway. */
const SECRET =
  /^(?:g?shadow-?|sudoers|sudoers\.d|security\/opasswd|ssh\/ssh_host_.*|ssl\/private|pki\/tls\/private|krb5\.keytab|NetworkManager\/system-connections|netplan|iwd|wpa_supplicant|wireguard|openvpn|ipsec\..*|swanctl|tinc|ppp|chatscripts|docker|containerd|kubernetes|rancher|cloud|letsencrypt|credstore.*|crypttab|mysql\/debian\.cnf|exim4\/passwd\.client|postfix\/sasl.*|msmtprc|nullmailer|apt\/auth\.conf.*|boto\.cfg|samba|iscsi|tor)$/;

/** Needed for name lookup; often a link to the network manager's file. */
export const NAME_SERVERS = '/etc/resolv.conf';

const READABLE_BY_OTHERS = 0o004;
const ENTERABLE_BY_OTHERS = 0o005;

interface SurveyOptions {
  readonly access: PathAccess;
  readonly isSecret: (path: string) => boolean;
  /** How deep to look for private files; deeper folders are allowed as a whole. */
  readonly deepest: number;
}

/** Folders that may contain private files: settings, and third-party programs with files of their own. */
const SURVEYED: Readonly<Record<string, SurveyOptions>> = {
  '/etc': { access: 'read', deepest: 6, isSecret: (path) => SECRET.test(path.slice('/etc/'.length)) },
  '/opt': { access: 'execute', deepest: 0, isSecret: () => false },
};

/** Surveys this machine. Takes tens of milliseconds. */
export async function systemReads(options: { readonly network: boolean }): Promise<SystemReads> {
  const surveyed = await Promise.all(
    Object.entries(SURVEYED).map(async ([path, rule]) => ({ path, ...(await survey(path, rule)) })),
  );
  const others = await Promise.all([
    ...PROGRAMS.map((path) => whole(path, 'execute')),
    ...[...KERNEL_FACTS, ...DATA].map((path) => whole(path, 'read')),
    ...DEVICES.map((path) => whole(path, 'device')),
    ...(options.network ? [whole(NAME_SERVERS, 'read')] : []),
  ]);
  const rules = [...surveyed.flatMap((found) => found.rules), ...others.flat()];
  const links = await Promise.all(PROGRAMS.map((path) => linkAt(path)));
  return {
    rules: [...new Map(rules.map((rule) => [`${rule.access} ${rule.path}`, rule])).values()],
    partial: surveyed.filter(({ isWhole }) => !isWhole).map(({ path }) => path),
    withheld: surveyed.flatMap(({ withheld }) => withheld),
    links: links.flat(),
  };
}

async function whole(path: string, access: PathAccess): Promise<PathRule[]> {
  try {
    return [{ path: await realpath(path), access }];
  } catch {
    return [];
  }
}

async function linkAt(path: string): Promise<{ path: string; target: string }[]> {
  try {
    return [{ path, target: await readlink(path) }];
  } catch {
    return [];
  }
}

interface Surveyed extends Pick<SystemReads, 'rules' | 'withheld'> {
  readonly isWhole: boolean;
}

/** A world-readable folder as one rule, otherwise its world-readable parts. Links need no rules. */
async function survey(folder: string, options: SurveyOptions, depth = 0): Promise<Surveyed> {
  const rule = { path: folder, access: options.access };
  if (depth > options.deepest) return { rules: [rule], withheld: [], isWhole: true };
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const below = await Promise.all(
    entries
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => surveyEntry(join(folder, entry.name), entry, options, depth)),
  );
  if (below.every(({ isWhole }) => isWhole)) return { rules: [rule], withheld: [], isWhole: true };
  return {
    rules: below.flatMap(({ rules }) => rules),
    withheld: below.flatMap(({ withheld }) => withheld),
    isWhole: false,
  };
}

async function surveyEntry(
  path: string,
  entry: Dirent,
  options: SurveyOptions,
  depth: number,
): Promise<Surveyed> {
  const kind = entry.isDirectory() ? 'folder' : 'file';
  const withheld: Surveyed = { rules: [], withheld: [{ path, kind }], isWhole: false };
  if (options.isSecret(path) || !(entry.isFile() || entry.isDirectory())) return withheld;
  const mode = (await lstat(path).catch(() => undefined))?.mode ?? 0;
  const needed = kind === 'folder' ? ENTERABLE_BY_OTHERS : READABLE_BY_OTHERS;
  if ((mode & needed) !== needed) return withheld;
  if (kind === 'folder') return survey(path, options, depth + 1);
  return { rules: [{ path, access: options.access }], withheld: [], isWhole: true };
}

/**
 * Identifies the files behind paths. Rules apply to files, not names: if a file was replaced, or a folder removed and created again, the
 * stamp changes and the rules must be rebuilt.
 */
export function placeStamp(paths: readonly string[]): string {
  return [
    ...paths.map((path) => identity(path)),
    // Replacing a file in /etc changes the folder's time.
    identity('/etc', true),
    identity(NAME_SERVERS),
  ].join(' ');
}

function identity(path: string, withTime = false): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return '-';
  return `${stat.dev}:${stat.ino}${withTime ? `:${stat.mtimeMs}` : ''}`;
}
