import { expect, it } from 'vitest';
import { z } from 'zod';
import { splitInput, toolInputSchema } from '../../src/toolfiles/run/tool-input.ts';
import { toolOf } from './support/tool-file.ts';

const tool = toolOf(
  {
    name: 'tool',
    description: 'x',
    command: 'tool',
    options: [{ name: 'context', type: 'string', description: 'Where.' }],
    subcommand: [
      {
        name: 'go',
        description: 'x',
        options: [
          { name: 'dry-run', type: 'boolean', description: 'Only look.' },
          { name: 'jobs', type: 'integer', description: 'At once.', default: 4 },
          { name: 'ratio', type: 'number', description: 'How much.' },
          { name: 'color', type: 'string', description: 'Colours.', enum: ['always', 'never'] },
          { name: 'labels', type: 'array', description: 'Labels.', enum: ['a', 'b'] },
        ],
        positional_args: [
          { name: 'files', type: 'array', description: 'Files.', required: true, format: 'path' },
        ],
      },
    ],
  },
  'tool_go',
);
const schema = toolInputSchema(tool).strict();

it('is described for callers', () => {
  const { properties, required } = z.toJSONSchema(schema, { io: 'input' });
  expect(Object.keys(properties ?? {})).toEqual([
    'files',
    'dry_run',
    'jobs',
    'ratio',
    'color',
    'labels',
    'context',
    'working_directory',
    'execution_mode',
    'timeout_seconds',
  ]);
  expect(required).toEqual(['files']);
  expect(properties).toMatchObject({
    files: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Files.' },
    dry_run: { type: 'boolean', description: 'Only look.' },
    jobs: { type: 'integer', default: 4, description: 'At once.' },
    ratio: { type: 'number' },
    color: { type: 'string', enum: ['always', 'never'] },
    labels: { type: 'array', items: { enum: ['a', 'b'] } },
    execution_mode: { enum: ['sync', 'async'] },
  });
});

it.each([
  ['nothing required', {}],
  ['an empty required list', { files: [] }],
  ['a wrong type', { files: ['a'], jobs: '4' }],
  ['a fraction for a whole number', { files: ['a'], jobs: 1.5 }],
  ['a word that is not offered', { files: ['a'], color: 'sometimes' }],
  ['an unknown key', { files: ['a'], colour: 'never' }],
  ['the name of an option as its file has it', { files: ['a'], 'dry-run': true }],
  ['a time that is none', { files: ['a'], timeout_seconds: 0 }],
  ['another way to run', { files: ['a'], execution_mode: 'later' }],
])('refuses %s', (_, input) => {
  expect(schema.safeParse(input).success).toBe(false);
});

it('separates the command’s arguments from the parameters of the run', () => {
  const input = schema.parse({
    files: ['', 'b'],
    dry_run: false,
    working_directory: 'sub',
    execution_mode: 'sync',
    timeout_seconds: 5,
  });
  expect(splitInput(tool, input)).toEqual({
    given: { files: ['', 'b'], dry_run: false, jobs: 4 },
    meta: { working_directory: 'sub', execution_mode: 'sync', timeout_seconds: 5 },
  });
});
