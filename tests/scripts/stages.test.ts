import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SMOKE_FILES } from '../../scripts/lib/smoke-files.mjs';
import { stages } from '../../scripts/lib/stages.mjs';

it('every file that other Node lines run exists among the unit and daemon tests', () => {
  const files = readdirSync(path.join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' });
  const names = new Set(
    files.filter((file) => !/^(?:linux|e2e)\//.test(file)).map((file) => path.basename(file)),
  );
  expect(SMOKE_FILES.filter((name) => !names.has(name))).toEqual([]);
});

it('a test that fails is tried a second time in every stage', () => {
  const tests = stages().filter(({ kind }) => kind === 'vitest');
  expect(tests.map(({ id }) => id)).toEqual(expect.arrayContaining(['unit', 'daemon', 'linux', 'e2e']));
  expect(tests.filter((stage) => !('args' in stage && stage.args.includes('--retry=1')))).toEqual([]);
});
