import { statSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { ConfigurationRequest } from '../../../ports/platform.ts';
import {
  completeConfiguration,
  isReservedVariable,
  CALL_VARIABLES,
  SETTINGS,
} from '../../../model/configuration/config.ts';
import type { ConfigurationEntry, ResolvedConfiguration } from '../../../model/configuration/config.ts';
import { errorCode, isMissing } from '../../../model/error-code.ts';
import { nearest } from '../../../model/text/nearest.ts';
import { unusableFile, invalidFlag, didYouMean, invalidVariable, shown } from './configuration-problem.ts';
import { readSettings, type FileSettings } from './configuration-table.ts';
import { readRegularFile, type RegularFile } from '../files.ts';

const FILE_NAME = 'config.toml';
const PREFIX = 'DESKTERITY_';

/** Largest file that is read. */
const LARGEST_BYTES = 1024 * 1024;

/** A file modified this recently may change again without changing its timestamps. */
const SETTLED_AFTER_MS = 100;

/** Configuration files kept in memory, as callers may have different folders. */
const MOST_REMEMBERED = 16;

export type ConfigurationLoader = (request: ConfigurationRequest) => Promise<ResolvedConfiguration>;

interface Remembered {
  readonly stamp: string;
  readonly settings: FileSettings;
}

/**
 * Returns the settings of a call. A missing file or an empty variable is ignored; a file is read again only after it changes.
 * @throws DeskterityError `CONFIG_INVALID` for an invalid file or variable, `INVALID_ARGUMENT` for an invalid flag
 */
export function createConfigurationLoader(): ConfigurationLoader {
  const remembered = new Map<string, Remembered>();

  const load = async (path: string): Promise<FileSettings | undefined> => {
    const known = remembered.get(path);
    const facts = statOf(path);
    if (facts !== undefined && known?.stamp === stampOf(facts)) return known.settings;
    remembered.delete(path);
    if (facts === undefined) return undefined;
    const read = await readFileAt(path);
    if (read === undefined) return undefined;
    const settings = settingsOf(path, read.bytes);
    if (Date.now() - Number(read.facts.mtimeMs) > SETTLED_AFTER_MS) {
      const [oldest] = remembered.keys();
      if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      remembered.set(path, { stamp: stampOf(read.facts), settings });
    }
    return settings;
  };

  return async (request) => {
    const path = join(request.configFolder, FILE_NAME);
    return combineSettings(request, path, await load(path));
  };
}

/** The settings of a call: flags over `DESKTERITY_*` over `TERMINATOR_*` over `config.toml` over defaults. */
export function combineSettings(
  request: ConfigurationRequest,
  file: string,
  fromFile: FileSettings | undefined,
): ResolvedConfiguration {
  const fromEnvironment = environmentSettings(request.environment);
  const fromFlags = flagSettings(request.flags ?? {});
  const entries = SETTINGS.map(({ key, default: fallback }): ConfigurationEntry => {
    const given = [
      { source: 'flag', value: fromFlags.get(key) },
      { source: 'environment', ...fromEnvironment.get(key) },
      { source: 'file', value: fromFile?.get(key) },
    ] as const;
    const first = given.find(({ value }) => value !== undefined);
    if (first?.value === undefined) return { key, value: fallback, source: 'default' };
    return { ...first, key, value: first.value };
  });
  const sections: Record<string, Record<string, unknown>> = {};
  for (const [index, { section, name }] of SETTINGS.entries())
    (sections[section] ??= {})[name] = entries[index]?.value;
  return { values: completeConfiguration(sections), entries, file, fileExists: fromFile !== undefined };
}

interface VariableValue {
  readonly value: ConfigurationEntry['value'];
  readonly variable: string;
}

function environmentSettings(
  environment: ConfigurationRequest['environment'],
): ReadonlyMap<string, VariableValue> {
  const found = new Map<string, VariableValue>();
  for (const setting of SETTINGS) {
    const given = [setting.variable, setting.otherVariable].find(
      (name) => name !== undefined && (environment[name] ?? '') !== '',
    );
    const text = given === undefined ? undefined : environment[given];
    if (given === undefined || text === undefined) continue;
    const value = setting.acceptText(text);
    if (value === undefined)
      throw invalidVariable(
        `The variable ${given} is ${shown(text)}, but must be ${setting.accepts}`,
        'Correct or unset it.',
      );
    found.set(setting.key, { value, variable: given });
  }
  refuseUnknown(environment);
  return found;
}

/** Only checks our own prefix: `TERMINATOR_*` may belong to the terminal emulator of that name. */
function refuseUnknown(environment: ConfigurationRequest['environment']): void {
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || text === undefined || text === '') continue;
    if (
      isReservedVariable(name) ||
      SETTINGS.some(({ variable, otherVariable }) => [variable, otherVariable].includes(name))
    )
      continue;
    const close = nearestVariable(name);
    const advice = close === undefined ? `Unset it.` : `Did you mean ${close}? Otherwise unset it.`;
    throw invalidVariable(`Deskterity has no variable ${shown(name)}`, advice);
  }
}

/** Compared without the common prefix, which would make all names similar. */
function nearestVariable(given: string): string | undefined {
  const bare = (name: string) => name.slice(PREFIX.length);
  const close = nearest(
    bare(given),
    [...SETTINGS.map(({ variable }) => variable), ...CALL_VARIABLES].map(bare),
  );
  return close === undefined ? undefined : `${PREFIX}${close}`;
}

function flagSettings(flags: Readonly<Record<string, string | undefined>>): FileSettings {
  const found = new Map<string, ConfigurationEntry['value']>();
  for (const [key, text] of Object.entries(flags)) {
    if (text === undefined) continue;
    const setting = SETTINGS.find((known) => known.key === key);
    if (setting === undefined) throw invalidFlag(`The setting ${shown(key)} does not exist`, didYouMean(key));
    const value = setting.acceptText(text);
    if (value === undefined)
      throw invalidFlag(`${key} was given as ${shown(text)}, but must be ${setting.accepts}`, 'Correct it.');
    found.set(key, value);
  }
  return found;
}

function settingsOf(path: string, bytes: Uint8Array): FileSettings {
  if (bytes.length > LARGEST_BYTES) throw unusableFile(path, 'is larger than 1 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusableFile(path, 'is not UTF-8');
  }
  return readSettings(path, text);
}

/** Synchronously: every call asks several times, and each step through Node's thread pool waits for its turn on a busy machine. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return missing(path, error);
  }
}

async function readFileAt(path: string): Promise<Extract<RegularFile, { bytes: Uint8Array }> | undefined> {
  try {
    const read = await readRegularFile(path, LARGEST_BYTES + 1);
    if (read.problem !== undefined) throw unusableFile(path, read.problem);
    return read;
  } catch (error) {
    return missing(path, error);
  }
}

/** A path below something that is not a folder (HOME=/dev/null) counts as missing too. */
function missing(path: string, error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw errorCode(error) === 'CONFIG_INVALID'
    ? error
    : unusableFile(path, 'could not be opened or read', error);
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
