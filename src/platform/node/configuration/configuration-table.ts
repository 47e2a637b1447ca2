import { SETTINGS, type ConfigurationEntry } from '../../../model/configuration/config.ts';
import { nearest } from '../../../model/text/nearest.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { didYouMean, invalidInFile, shown } from './configuration-problem.ts';
import { lineOfKey } from '../documents/toml-statements.ts';
import { parseToml } from '../documents/toml-library.ts';

/** Values by key. */
export type FileSettings = ReadonlyMap<string, ConfigurationEntry['value']>;

const SECTIONS: readonly string[] = [...new Set(SETTINGS.map(({ section }) => section))];

/**
 * The settings in the text of a configuration file.
 * @param path of the file, for messages
 * @throws DeskterityError `CONFIG_INVALID` for the first problem
 */
export function readSettings(path: string, text: string): FileSettings {
  const { table, problem } = parseToml(text);
  if (problem !== undefined) {
    const reason = `not TOML at column ${problem.column}: ${clip(reveal(problem.reason), 200)}`;
    throw invalidInFile(path, problem.line, reason, 'Correct the file.');
  }
  const fail = (keys: readonly string[], about: string, advice: string) =>
    invalidInFile(path, lineOfKey(text, keys), about, advice);
  const found = new Map<string, ConfigurationEntry['value']>();
  for (const [section, content] of Object.entries(table)) {
    if (!SECTIONS.includes(section))
      throw fail([section], `the setting ${shown(section)} does not exist`, adviceForSection(section));
    if (!isTable(content))
      throw fail(
        [section],
        `"${section}" is ${shown(content)}, but must be a table of settings`,
        `Write [${section}].`,
      );
    for (const [name, value] of Object.entries(content)) {
      const key = `${section}.${name}`;
      const setting = SETTINGS.find((known) => known.key === key);
      if (setting === undefined)
        throw fail([section, name], `the setting ${shown(key)} does not exist`, didYouMean(key));
      const accepted = setting.accept(value);
      if (accepted === undefined)
        throw fail(
          [section, name],
          `"${key}" is ${shown(value)}, but must be ${setting.accepts}`,
          'Correct it.',
        );
      found.set(key, accepted);
    }
  }
  return found;
}

function adviceForSection(given: string): string {
  const close = nearest(given, SECTIONS);
  return close === undefined ? didYouMean(given) : `Did you mean [${close}]?`;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === null
  );
}
