import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathAccess, PathRule } from './landlock.ts';

/** The part of the system that every confined program may read: programs, libraries, settings without secrets, a few devices. */
export interface SystemReads {
  readonly rules: readonly PathRule[];
  /** Folders that are in the rules in part only. */
  readonly inPart: readonly string[];
  /** What is in those and in no rule. */
  readonly withheld: readonly { readonly path: string; readonly kind: 'folder' | 'file' }[];
  /** Links such as `/bin`, whose target is in a rule. */
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

/** Programs of third parties, which may keep private files beside them. */
const THIRD_PARTIES = '/opt';
const SETTINGS = '/etc';

/** What programs ask the kernel; not what debuggers of the kernel ask it. */
const KERNEL_FACTS = [
  '/proc',
  '/sys/block',
  '/sys/bus',
  '/sys/class',
  '/sys/devices',
  '/sys/fs/cgroup',
  '/sys/kernel/mm',
];

/** Certificates where openSUSE keeps them. */
const DATA = ['/var/lib/ca-certificates'];

const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/** Settings that hold keys and passwords, by path below /etc; whatever others may not read is withheld without being named. */
const SECRET =
  /^(?:g?shadow-?|sudoers|sudoers\.d|security\/opasswd|ssh\/ssh_host_.*|ssl\/private|pki\/tls\/private|krb5\.keytab|NetworkManager\/system-connections|netplan|iwd|wpa_supplicant|wireguard|openvpn|ipsec\..*|swanctl|tinc|ppp|chatscripts|docker|containerd|kubernetes|rancher|cloud|letsencrypt|credstore.*|crypttab|mysql\/debian\.cnf|exim4\/passwd\.client|postfix\/sasl.*|msmtprc|nullmailer|apt\/auth\.conf.*|boto\.cfg|samba|iscsi|tor)$/;

/** Read by whoever looks up names; often a link to where the network's manager writes it. */
export const NAME_SERVERS = '/etc/resolv.conf';

const READABLE_BY_OTHERS = 0o004;
const ENTERABLE_BY_OTHERS = 0o005;

/** How far private files are looked for; what lies deeper is taken as a whole. */
const DEPTH = { settings: 6, thirdParties: 0 };

/** Looks at this machine. Takes tens of milliseconds. */
export async function systemReads(options: { readonly network: boolean }): Promise<SystemReads> {
  const settings = await survey(SETTINGS, {
    access: 'read',
    deepest: DEPTH.settings,
    isSecret: (path) => SECRET.test(path.slice(`${SETTINGS}/`.length)),
  });
  const thirdParties = await survey(THIRD_PARTIES, {
    access: 'execute',
    deepest: DEPTH.thirdParties,
    isSecret: () => false,
  });
  const others = await Promise.all([
    ...PROGRAMS.map((path) => whole(path, 'execute')),
    ...[...KERNEL_FACTS, ...DATA].map((path) => whole(path, 'read')),
    ...DEVICES.map((path) => whole(path, 'device')),
    ...(options.network ? [whole(NAME_SERVERS, 'read')] : []),
  ]);
  const rules = [...settings.rules, ...thirdParties.rules, ...others.flat()];
  const links = await Promise.all(PROGRAMS.map((path) => linkAt(path)));
  return {
    rules: [...new Map(rules.map((rule) => [`${rule.access} ${rule.path}`, rule])).values()],
    inPart: [SETTINGS, THIRD_PARTIES].filter((_, index) => !(index === 0 ? settings : thirdParties).isWhole),
    withheld: [...settings.withheld, ...thirdParties.withheld],
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

interface Looking {
  readonly access: PathAccess;
  readonly isSecret: (path: string) => boolean;
  readonly deepest: number;
}

interface Surveyed extends Pick<SystemReads, 'rules' | 'withheld'> {
  readonly isWhole: boolean;
}

/** A folder as one rule where everybody may read all of it, else the parts of it that everybody may read. Links lead elsewhere and need none. */
async function survey(folder: string, how: Looking, depth = 0): Promise<Surveyed> {
  const rule = { path: folder, access: how.access };
  if (depth > how.deepest) return { rules: [rule], withheld: [], isWhole: true };
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const below = await Promise.all(
    entries
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => surveyEntry(join(folder, entry.name), entry, how, depth)),
  );
  if (below.every(({ isWhole }) => isWhole)) return { rules: [rule], withheld: [], isWhole: true };
  return {
    rules: below.flatMap(({ rules }) => rules),
    withheld: below.flatMap(({ withheld }) => withheld),
    isWhole: false,
  };
}

async function surveyEntry(path: string, entry: Dirent, how: Looking, depth: number): Promise<Surveyed> {
  const kind = entry.isDirectory() ? 'folder' : 'file';
  const withheld: Surveyed = { rules: [], withheld: [{ path, kind }], isWhole: false };
  if (how.isSecret(path) || !(entry.isFile() || entry.isDirectory())) return withheld;
  const mode = (await lstat(path).catch(() => undefined))?.mode ?? 0;
  const needed = kind === 'folder' ? ENTERABLE_BY_OTHERS : READABLE_BY_OTHERS;
  if ((mode & needed) !== needed) return withheld;
  if (kind === 'folder') return survey(path, how, depth + 1);
  return { rules: [{ path, access: how.access }], withheld: [], isWhole: true };
}
