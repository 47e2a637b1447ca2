import { isRecord } from '../../../src/model/is-record.ts';
import type { ServerToolFacts } from '../../../src/ports/upstream/servers.ts';

const EXAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 2,
  integer: 2,
  boolean: true,
  array: [],
  object: {},
};

/** Something valid for each property of a tool. A tool that wants to see a schema gets that of the first tool, as we list it. */
export function argumentsFor(
  { inputSchema }: ServerToolFacts,
  [first]: readonly ServerToolFacts[],
): Record<string, unknown> {
  const { properties } = inputSchema;
  if (!isRecord(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, exampleOf(name, schema, first)]),
  );
}

function exampleOf(name: string, schema: unknown, first: ServerToolFacts | undefined): unknown {
  const type = isRecord(schema) ? schema['type'] : undefined;
  if (name === 'schema' && type === 'object') return first?.inputSchema;
  return typeof type === 'string' && Object.hasOwn(EXAMPLES, type) ? EXAMPLES[type] : 'text';
}
