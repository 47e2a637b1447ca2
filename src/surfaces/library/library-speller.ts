import type { Speller } from '../../model/text/mention.ts';
import { camelCase } from './naming.ts';

/** Spells what texts mention as it is written in TypeScript: `snapshot({ app: 'Files' })`, `maxDepth`. */
export const librarySpeller: Speller = {
  command: (name, input) => {
    const entries = Object.entries(input).map(([key, value]) => `${camelCase(key)}: ${literal(value)}`);
    return `${camelCase(name)}(${entries.length === 0 ? '' : `{ ${entries.join(', ')} }`})`;
  },
  name: (command) => camelCase(command),
  parameter: (key, value) => (value === undefined ? camelCase(key) : `${camelCase(key)}: ${literal(value)}`),
  key: (key) => camelCase(key),
  help: (command) => `The type of ${camelCase(command)} says what it takes.`,
  onCommandLine: () => '',
};

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`
    : JSON.stringify(value);
}
