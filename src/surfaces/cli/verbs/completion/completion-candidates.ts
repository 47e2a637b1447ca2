import type { Manifest, ManifestParameter } from '../../arguments/manifest.ts';
import type { Manual } from '../../printing/manual.ts';
import type { LiveAnswers } from './completion-live.ts';
import type { Expected } from './completion-position.ts';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** One possible completion, unquoted. */
export interface Candidate {
  readonly text: string;
  /** Description on one line; may be empty. */
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

/** What a shell should offer: these candidates, or the files it finds itself. */
export type Offer =
  | { readonly kind: 'values'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'files' };

const LONGEST_ABOUT = 72;

/** Characters that a terminal would interpret, or that would hide what is being chosen. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;

/** All candidates for the position; the shell filters by the current word. */
export async function offerFor(expected: Expected, sources: CandidateSources): Promise<Offer> {
  switch (expected.kind) {
    case 'file':
      return { kind: 'files' };
    case 'command':
      return values(commandWords(sources.manifest, await sources.manual(), expected.after));
    case 'flag':
      return values(flagWords(expected, await sources.manual()));
    case 'value':
      return offerValues(expected, sources);
    default:
      return values([]);
  }
}

async function offerValues(
  { parameter, command, before }: Expected & { readonly kind: 'value' },
  sources: CandidateSources,
): Promise<Offer> {
  if (isPath(parameter, command?.name)) return { kind: 'files' };
  const found = (await valuesOf(parameter, command?.name, sources)) ?? [];
  // An application called "--force" must not be offered as a flag.
  const safe = found.filter(({ text }) => before !== '' || !text.startsWith('-'));
  return values(safe.map(({ text, about }) => ({ text: before + text, about })));
}

function values(candidates: readonly Candidate[]): Offer {
  return {
    kind: 'values',
    candidates: candidates
      .filter(({ text }) => text !== '' && !INVISIBLE.test(text))
      .map(({ text, about }) => candidate(text, about)),
  };
}

/** Makes the description one short printable line. */
function candidate(text: string, about: string): Candidate {
  const line = about.replaceAll(new RegExp(INVISIBLE, 'gu'), '\uFFFD');
  return { text, about: line.length > LONGEST_ABOUT ? `${line.slice(0, LONGEST_ABOUT - 1)}…` : line };
}

function flagWords(
  { command, flags }: Expected & { readonly kind: 'flag' },
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

/** `undefined` if there is nothing to suggest. */
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

/** By name, or by process id if the name is not unique, cannot be typed or looks like an id. */
function appCandidates(apps: Awaited<ReturnType<LiveAnswers['apps']>>): Candidate[] {
  return apps.map(({ name, pid }) => {
    const isOnly = apps.filter((other) => other.name.toLowerCase() === name.toLowerCase()).length === 1;
    const isPlain = isTypable(name) && !/^\d+$/.test(name) && !name.startsWith('-');
    return isOnly && isPlain
      ? { text: name, about: `process ${pid}` }
      : { text: String(pid), about: `process ${JSON.stringify(name)}` };
  });
}

/** A flag, a reference or a window id: a title must not impersonate those. */
const LIKE_AN_ID = /^(?:[@-]|[a-z][a-z\d]*:\S*$)/;

/** References with their titles, then the titles themselves unless a reference has been started. */
function windowCandidates(
  windows: Awaited<ReturnType<LiveAnswers['windows']>>,
  isRefStarted: boolean,
): Candidate[] {
  const refs = windows.map(({ ref, title, app }) => ({
    text: ref,
    about: `${JSON.stringify(title)} ${app}`,
  }));
  if (isRefStarted) return refs;
  const titles = windows.filter(
    ({ title }) =>
      isTypable(title) &&
      !LIKE_AN_ID.test(title) &&
      windows.filter((other) => other.title.toLowerCase().includes(title.toLowerCase())).length === 1,
  );
  return [...refs, ...titles.map(({ ref, title, app }) => ({ text: title, about: `${ref} ${app}` }))];
}

function isTypable(text: string): boolean {
  return text.trim() !== '' && !INVISIBLE.test(text);
}

/** Ids of installed applications for "launch", from the names of desktop files; empty on systems without those. */
export async function installedApps(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const home = environment['HOME'];
  const own = environment['XDG_DATA_HOME'] ?? (home === undefined ? '' : join(home, '.local/share'));
  const shared = (environment['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share').split(':');
  const folders = [own, ...shared].filter((folder) => isAbsolute(folder));
  const lists = await Promise.all(
    folders.map((folder) => readdir(join(folder, 'applications')).catch((): string[] => [])),
  );
  const ids = lists.flat().filter((name) => name.endsWith('.desktop'));
  return [...new Set(ids.map((name) => name.slice(0, -'.desktop'.length)))].sort();
}
