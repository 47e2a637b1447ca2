import type { Manifest, ManifestParameter } from '../../arguments/manifest.ts';
import type { Manual } from '../../printing/manual.ts';
import { installedApps } from './completion-installed.ts';
import type { LiveAnswers } from './completion-live.ts';
import type { Wanted } from './completion-position.ts';

/** One thing that could be written, as a person would see it, unquoted. */
export interface Candidate {
  readonly text: string;
  /** One line; empty where the text says all. */
  readonly about: string;
}

export interface CandidateSources {
  readonly manifest: Manifest;
  readonly manual: () => Promise<Manual>;
  readonly live: LiveAnswers;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The word at the cursor. */
  readonly current: string;
}

/** What a shell should offer: these, or the files it finds itself. */
export type Offer =
  | { readonly kind: 'values'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'files' };

const LONGEST_ABOUT = 72;

/** Characters that a terminal would obey, or that would hide what is being chosen. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;

/** Everything that could stand there; what does not begin like the current word is the shell's to leave out. */
export async function offerFor(wanted: Wanted, sources: CandidateSources): Promise<Offer> {
  switch (wanted.kind) {
    case 'file':
      return { kind: 'files' };
    case 'command':
      return values(commandWords(sources.manifest, await sources.manual(), wanted.after));
    case 'flag':
      return values(flagWords(wanted, await sources.manual()));
    case 'value':
      return offerValues(wanted, sources);
    default:
      return values([]);
  }
}

async function offerValues(
  { parameter, command, before }: Wanted & { readonly kind: 'value' },
  sources: CandidateSources,
): Promise<Offer> {
  if (isPath(parameter, command?.name)) return { kind: 'files' };
  const found = (await valuesOf(parameter, command?.name, sources)) ?? [];
  // An application called "--force" is not to be taken for a flag.
  const safe = found.filter(({ text }) => before !== '' || !text.startsWith('-'));
  return values(safe.map(({ text, about }) => ({ text: before + text, about })));
}

function values(candidates: readonly Candidate[]): Offer {
  return {
    kind: 'values',
    candidates: candidates
      .filter(({ text }) => text !== '' && !UNSEEN.test(text))
      .map(({ text, about }) => candidate(text, about)),
  };
}

/** With its description as one short line that a terminal can show. */
function candidate(text: string, about: string): Candidate {
  const line = about.replaceAll(new RegExp(UNSEEN, 'gu'), '\uFFFD');
  return { text, about: line.length > LONGEST_ABOUT ? `${line.slice(0, LONGEST_ABOUT - 1)}…` : line };
}

function flagWords(
  { command, flags }: Wanted & { readonly kind: 'flag' },
  { commands }: Manual,
): Candidate[] {
  const about = command && commands[command.name]?.parameters;
  return flags.map(({ flag, key, help }) => ({ text: `--${flag}`, about: help ?? about?.[key] ?? '' }));
}

function commandWords(manifest: Manifest, manual: Manual, after: readonly string[]): Candidate[] {
  const found = new Map<string, string>();
  for (const { name } of manifest.commands) {
    const words = name.split(' ');
    const word = words[after.length];
    if (word === undefined || after.some((earlier, index) => words[index] !== earlier)) continue;
    const isWhole = words.length === after.length + 1;
    const more = words.slice(after.length + 1).join(' ');
    const others = found.get(word);
    found.set(
      word,
      isWhole ? (manual.commands[name]?.summary ?? '') : others === undefined ? more : `${others}, ${more}`,
    );
  }
  return [...found].map(([text, about]) => ({ text, about }));
}

function isPath({ key }: ManifestParameter, command: string | undefined): boolean {
  return key === 'path' || (key === 'args' && command === 'launch');
}

/** `undefined` for what nobody can guess. */
async function valuesOf(
  parameter: ManifestParameter,
  command: string | undefined,
  { live, environment, current }: CandidateSources,
): Promise<readonly Candidate[] | undefined> {
  const { key, flag, type } = parameter;
  if (parameter.values !== undefined) return parameter.values.map((text) => ({ text, about: '' }));
  if (type === 'boolean') return ['true', 'false'].map((text) => ({ text, about: '' }));
  switch (key) {
    case 'app':
      if (command === 'launch' && flag === undefined)
        return (await installedApps(environment)).map((text) => ({ text, about: 'installed' }));
      return appCandidates(await live.apps());
    case 'window':
      return windowCandidates(await live.windows(), current.startsWith('@'));
    case 'ref':
    case 'element':
    case 'root':
      return (await live.elements()).map(({ ref, role, name }) => ({
        text: ref,
        about: name === '' ? role : `${role} ${JSON.stringify(name)}`,
      }));
    case 'session':
      return (await live.sessions()).map((text) => ({ text, about: 'session' }));
    case 'name':
      if (command?.startsWith('session ') !== true || command === 'session new') return undefined;
      return (await live.sessions()).map((text) => ({ text, about: 'session' }));
    case 'from_env':
      return Object.keys(environment)
        .filter((name) => /^[A-Za-z_]\w*$/.test(name))
        .map((text) => ({ text, about: 'variable' }));
    default:
      return undefined;
  }
}

/** By name; by process id where the name would not do: not the only one, not to be typed, or looking like an id. */
function appCandidates(apps: Awaited<ReturnType<LiveAnswers['apps']>>): Candidate[] {
  return apps.map(({ name, pid }) => {
    const isOnly = apps.filter((other) => other.name.toLowerCase() === name.toLowerCase()).length === 1;
    const isPlain = isTypable(name) && !/^\d+$/.test(name) && !name.startsWith('-');
    return isOnly && isPlain
      ? { text: name, about: `process ${pid}` }
      : { text: String(pid), about: `process ${JSON.stringify(name)}` };
  });
}

/** A flag, a reference, or what may be the id of another window: whoever makes such a title must not be taken for that. */
const LIKE_AN_ID = /^(?:[@-]|[a-z][a-z\d]*:\S*$)/;

/** References with their titles, then the titles themselves, unless it is a reference that has been begun. */
function windowCandidates(
  windows: Awaited<ReturnType<LiveAnswers['windows']>>,
  isRefBegun: boolean,
): Candidate[] {
  const refs = windows.map(({ ref, title, app }) => ({
    text: ref,
    about: `${JSON.stringify(title)} ${app}`,
  }));
  if (isRefBegun) return refs;
  const titles = windows.filter(
    ({ title }) =>
      isTypable(title) &&
      !LIKE_AN_ID.test(title) &&
      windows.filter((other) => other.title.toLowerCase().includes(title.toLowerCase())).length === 1,
  );
  return [...refs, ...titles.map(({ ref, title, app }) => ({ text: title, about: `${ref} ${app}` }))];
}

function isTypable(text: string): boolean {
  return text.trim() !== '' && !UNSEEN.test(text);
}
