import data from './system-packages.json' with { type: 'json' };

/** Package managers whose package names we know, by program name. */
export type PackageFamily = keyof typeof data.families;

/** A set of packages for one purpose, such as `private-desktop` or `firefox`. */
export type PackageGroup = keyof typeof data.groups;

/** A program that we run ourselves; each family's package for it is known. */
export type NeededProgram = keyof typeof data.programs;

/** The Linux distribution, as far as package names depend on it. */
export interface Distribution {
  /** `ID` of /etc/os-release, such as `debian`; empty when unknown. */
  readonly id: string;
  readonly family: PackageFamily | undefined;
}

interface FamilyFacts {
  readonly distributions: readonly string[];
  readonly update?: string;
  readonly install: string;
}

interface GroupFacts {
  readonly purpose: string;
  readonly packages: Readonly<Record<PackageFamily, readonly string[]>>;
  /** Distributions whose package cannot be used, and why. */
  readonly unavailable?: Readonly<Record<string, string>>;
}

const FAMILIES: Readonly<Record<PackageFamily, FamilyFacts>> = data.families;
const GROUPS: Readonly<Record<PackageGroup, GroupFacts>> = data.groups;
const PROGRAMS: Readonly<Record<NeededProgram, Readonly<Record<PackageFamily, string>>>> = data.programs;

/** All package families. */
export const PACKAGE_FAMILIES: readonly PackageFamily[] = ['apt', 'dnf', 'pacman', 'zypper', 'apk'];

/** Parses /etc/os-release. Derivatives are recognised by `ID_LIKE`. */
export function readOsRelease(text: string): Distribution {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([A-Z_]+)=(?:"([^"]*)"|'([^']*)'|(.*?))\s*$/.exec(line);
    if (match) fields.set(match[1] ?? '', match[2] ?? match[3] ?? match[4] ?? '');
  }
  const id = fields.get('ID') ?? '';
  const names = [id, ...(fields.get('ID_LIKE') ?? '').split(/\s+/)].filter((name) => name !== '');
  for (const name of names) {
    const family = PACKAGE_FAMILIES.find((candidate) => FAMILIES[candidate].distributions.includes(name));
    if (family) return { id, family };
  }
  return { id, family: undefined };
}

/** The packages to install for `groups` on a distribution, and the groups it cannot provide. */
export function packagesFor(
  groups: readonly PackageGroup[],
  distribution: Distribution,
): { packages: string[]; unavailable: { group: PackageGroup; reason: string }[] } {
  const packages = new Set<string>();
  const unavailable: { group: PackageGroup; reason: string }[] = [];
  for (const group of groups) {
    const reason =
      distribution.family === undefined
        ? `No package names are known for "${distribution.id || 'this system'}"; install ${GROUPS[group].purpose} yourself.`
        : GROUPS[group].unavailable?.[distribution.id];
    if (reason !== undefined) unavailable.push({ group, reason });
    else if (distribution.family !== undefined) {
      for (const name of GROUPS[group].packages[distribution.family]) packages.add(name);
    }
  }
  return { packages: [...packages], unavailable };
}

/** The packages that contain `programs`; each once, in order. */
export function packagesForPrograms(programs: readonly NeededProgram[], family: PackageFamily): string[] {
  return [...new Set(programs.map((program) => PROGRAMS[program][family]))];
}

/** The command with which root installs `packages`. */
export function installCommand(family: PackageFamily, packages: readonly string[]): string {
  return `${FAMILIES[family].install} ${packages.join(' ')}`;
}

/** The command that refreshes the package lists before an installation, if the family needs one. */
export function updateCommand(family: PackageFamily): string | undefined {
  return FAMILIES[family].update;
}

/** The purpose of a group, as the object of "install …". */
export function groupPurpose(group: PackageGroup): string {
  return GROUPS[group].purpose;
}
