import type { ServerToolFacts } from '../../../src/ports/upstream/servers.ts';
import { isRecord } from '../../../src/model/is-record.ts';

const EXAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 2,
  integer: 2,
  boolean: true,
  array: [],
  object: {},
};

/** Something valid for each property of a tool. */
export function argumentsFor({ inputSchema }: Pick<ServerToolFacts, 'inputSchema'>): Record<string, unknown> {
  const { properties } = inputSchema;
  if (!isRecord(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isRecord(schema) && typeof schema['type'] === 'string' ? EXAMPLES[schema['type']] : 'text',
    ]),
  );
}
