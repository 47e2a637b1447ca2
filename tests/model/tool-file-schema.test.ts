import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaFiles } from '../../scripts/generate/schema-files.ts';
import { isRecord } from '../../src/model/is-record.ts';
import { ToolFile } from '../../src/model/tools/tool-file.ts';

const root = join(import.meta.dirname, '../..');
const schema: unknown = JSON.parse(new Map(schemaFiles()).get('tool-file.json') ?? '');
if (!isRecord(schema)) throw new Error('the schema is no object');
// An independent validator with the published schema.
const validate = new CfWorkerJsonSchemaValidator().getValidator(schema);
const GOOD = { name: 'a', description: 'x', command: 'a' };

it.each(readdirSync(join(root, 'tools')))('the published schema accepts %s', (name) => {
  expect(validate(JSON.parse(readFileSync(join(root, 'tools', name), 'utf8')))).toMatchObject({
    valid: true,
  });
});

describe('schema and program agree', () => {
  const deep = (depth: number, leaf: object): object =>
    depth === 0 ? leaf : { name: 'a', description: 'x', subcommand: [deep(depth - 1, leaf)] };
  it.each<[string, unknown, boolean]>([
    ['the least', GOOD, true],
    ['no name', { description: 'x', command: 'a' }, false],
    ['an unknown key', { ...GOOD, x: 1 }, false],
    [
      'an unknown key six levels down',
      { ...GOOD, subcommand: [deep(6, { name: 'a', description: 'x', y: 1 })] },
      false,
    ],
    [
      'six levels',
      { ...GOOD, subcommand: [deep(6, { name: 'a', description: 'x', synchronous: true })] },
      true,
    ],
    ['an underscore in a subcommand', { ...GOOD, subcommand: [{ name: 'a_b', description: 'x' }] }, false],
    [
      'a type that there is not',
      { ...GOOD, options: [{ name: 'a', type: 'text', description: 'x' }] },
      false,
    ],
    [
      'a format that there is not',
      { ...GOOD, options: [{ name: 'a', type: 'string', description: 'x', format: 'uri' }] },
      false,
    ],
    ['a profile that there is not', { ...GOOD, sandbox: { profile: 'firejail' } }, false],
    ['a variable with a strange name', { ...GOOD, sandbox: { environment: { set: { 'A B': 'x' } } } }, false],
    [
      'everything of a sandbox',
      {
        ...GOOD,
        sandbox: {
          read: ['/a'],
          write: ['~/b'],
          network: true,
          unix_sockets: true,
          scope: 'a',
          deny_report: true,
          profile: 'bubblewrap',
          environment: { pass: ['A'], set: { B: 'c' } },
        },
      },
      true,
    ],
    [
      'a sequence',
      {
        ...GOOD,
        command: 'sequence',
        sequence: [{ tool: 'a', subcommand: 'b_c', args: { x: ['y'], z: true, n: 1 } }],
        step_delay_ms: 500,
      },
      true,
    ],
    [
      'a pause that is too long',
      { ...GOOD, command: 'sequence', sequence: [{ tool: 'a' }], step_delay_ms: 600_000 },
      false,
    ],
    [
      'arguments of a step that are objects',
      { ...GOOD, command: 'sequence', sequence: [{ tool: 'a', args: { x: {} } }] },
      false,
    ],
    ['no time', { ...GOOD, timeout_seconds: 0 }, false],
    ['a list', [], false],
  ])('%s', (_, data, isGood) => {
    expect(validate(data).valid).toBe(isGood);
    expect(ToolFile.safeParse(data).success).toBe(isGood);
  });
});

it('describes every field', () => {
  const silent: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (!isRecord(value)) return;
    const { properties } = value;
    for (const [key, property] of Object.entries(isRecord(properties) ? properties : {})) {
      const isReference = isRecord(property) && '$ref' in property;
      if (!isReference && (!isRecord(property) || typeof property['description'] !== 'string'))
        silent.push(`${path}.${key}`);
    }
    for (const [key, inner] of Object.entries(value)) if (key !== 'enum') walk(inner, `${path}.${key}`);
  };
  walk(schema, '');
  expect(silent).toEqual([]);
  expect(Object.keys(z.toJSONSchema(ToolFile, { io: 'input' }).properties ?? {})).toEqual([
    '$schema',
    'name',
    'description',
    'command',
    'enabled',
    'timeout_seconds',
    'synchronous',
    'read_only',
    'destructive',
    'double_dash',
    'options',
    'positional_args',
    'subcommand',
    'sequence',
    'step_delay_ms',
    'availability_check',
    'install_instructions',
    'sandbox',
  ]);
});
