import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { artifacts } from '../../scripts/generate/artifacts.ts';
import { EXIT_MEANINGS, ERROR_GUIDE } from '../../scripts/generate/error-guide.ts';
import { schemaFiles } from '../../scripts/generate/schema-files.ts';
import { commands } from '../../src/commands/index.generated.ts';
import { ERROR_EXIT_CODES, EXIT } from '../../src/model/effects/errors.ts';
import { Receipt } from '../../src/model/effects/effect.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const files = artifacts(version);

// `npm test` runs the generator itself with --check; here only what it makes.
it.each([...files.keys()].filter((name) => !name.endsWith('.ts')))('%s is up to date', (name) => {
  expect(readFileSync(name, 'utf8')).toBe(files.get(name));
});

it('gives the same twice', () => {
  expect([...artifacts(version)]).toEqual([...files]);
});

it('explains every exit code and every error code', () => {
  expect(EXIT_MEANINGS.map(([code]) => code)).toEqual(Object.values(EXIT));
  expect(Object.keys(ERROR_GUIDE)).toEqual(Object.keys(ERROR_EXIT_CODES));
});

const schemas = schemaFiles();

it('writes two schemas for each command but the verbs of the command line', () => {
  const answered = commands.filter(({ runsIn }) => runsIn !== 'client');
  expect(schemas).toHaveLength(answered.length * 2 + 3);
});

describe.each(schemas)('%s', (_, text) => {
  const schema = JSON.parse(text);

  it('stands alone', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    const wanted = [...text.matchAll(/"\$ref": "#\/\$defs\/([^"]+)"/g)].map((match) => match[1]);
    expect(Object.keys(schema.$defs ?? {})).toEqual(expect.arrayContaining(wanted));
    expect(text).not.toMatch(/"\$ref": "[^#]/);
  });
});

it('refuses unknown keys in every input', () => {
  const open = parsed('.input.json').filter(([, schema]) => schema.additionalProperties !== false);
  expect(open).toEqual([]);
});

it('starts every answer with the envelope', () => {
  const heads = parsed('.output.json').map(([, schema]) => Object.keys(schema.properties).slice(0, 3));
  expect(heads).toEqual(heads.map(() => ['version', 'ok', 'command']));
});

function parsed(ending: string) {
  return schemas
    .filter(([name]) => name.endsWith(ending))
    .map(([name, text]) => [name, JSON.parse(text)] as const);
}

it('puts the members of a named answer beside the envelope', () => {
  const schema = JSON.parse(new Map(schemas).get('click.output.json') ?? '{}');
  const envelope = [
    'version',
    'ok',
    'command',
    'private_desktop',
    'finished_operations',
    'finished_commands',
  ];
  expect(Object.keys(schema.properties)).toEqual([...envelope, ...Object.keys(Receipt.shape)]);
  expect(schema.required).not.toContain('private_desktop');
});
