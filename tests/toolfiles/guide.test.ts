import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeProblem } from '../../src/toolfiles/files/problem.ts';
import { parse } from './support/tool-file.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/tool-files.md'), 'utf8');
const examples = [...guide.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => text);
const whole = { name: 'x', description: 'x', command: 'x' };

it('has examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

it.each(examples)('the example %s is valid', (text) => {
  const content = text.startsWith('"') ? { ...whole, ...JSON.parse(`{${text}}`) } : text;
  expect(parse(content).problems).toBeUndefined();
});

it('the message it shows is the real one', () => {
  const { problems = [] } = parse(
    '{\n  "name": "git",\n  "description": "x",\n  "command": "git",\n  "synchronos": true\n}',
    'git.json',
  );
  expect(problems).toHaveLength(1);
  for (const problem of problems) expect(guide).toContain(`${describeProblem(problem)}.`);
});
