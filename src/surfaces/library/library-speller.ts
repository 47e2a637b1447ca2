import { spellMentions, type Speller } from '../../model/text/mention.ts';

/** `max_depth` and `set-value` in camel case: `maxDepth`, `setValue`. */
export function camelCase(name: string): string {
  return name.replaceAll(/[-_ ]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Spells mentions as TypeScript: `snapshot({ app: 'Files' })`, `maxDepth`. */
export const librarySpeller: Speller = {
  command: (name, input) => {
    const entries = Object.entries(input).map(([key, value]) => `${camelCase(key)}: ${literal(value)}`);
    return `${camelCase(name)}(${entries.length === 0 ? '' : `{ ${entries.join(', ')} }`})`;
  },
  name: (command) => camelCase(command),
  parameter: (key, value) => (value === undefined ? camelCase(key) : `${camelCase(key)}: ${literal(value)}`),
  key: (key) => camelCase(key),
  help: (command) => `See the type of ${camelCase(command)} for its parameters.`,
  onCommandLine: () => '',
  byPerson: (step) => spellMentions(step, librarySpeller),
};

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`
    : JSON.stringify(value);
}
