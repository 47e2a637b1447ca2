import type { ApplicationFacts } from '../../model/policy/verdict.ts';

/** Endings of files that are programs. */
const ENDING = /\.(?:py|pyz|js|mjs|cjs|jar|asar|pl|rb|sh|exe|appimage|desktop|wrapped|bin|real)$/i;

/** What an application cannot choose freely while it runs: the path of its program, what that is called if it was installed, and its ids. */
export function provenNames({ executable, isInstalled, desktopIds = [] }: ApplicationFacts): string[] {
  if (executable === undefined) return [];
  return [executable, ...(isInstalled === false ? [] : [fileName(executable)]), ...desktopIds];
}

/** Everything that it is known by, and the parts of that that name a program. */
export function allNames(facts: ApplicationFacts): string[] {
  const { name, program, executable, otherNames = [] } = facts;
  const whole = [executable, ...provenNames(facts), name, program, ...otherNames];
  const given = whole.filter((text) => text !== undefined && text !== '').map(String);
  return [...new Set(given.flatMap(partsOf))];
}

/** `/opt/vault/vault.py` is also `vault.py` and `vault`, and `org.keepassxc.KeePassXC` is also `KeePassXC`. */
function partsOf(text: string): string[] {
  const file = fileName(text);
  const stem = file.replace(ENDING, '');
  const last = /^[\w-]+(?:\.[\w-]+){2,}$/.test(stem) ? stem.slice(stem.lastIndexOf('.') + 1) : stem;
  return [text, file, stem, last].filter((part) => part !== '');
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
