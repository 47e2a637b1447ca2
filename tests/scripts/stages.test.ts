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

it('only tests with real applications and processes, and those beside them, are tried a second time', () => {
  const again = stages().filter((stage) => 'args' in stage && stage.args.includes('--retry=1'));
  const ids = again.map(({ id }) => id);
  expect(ids.filter((id) => !/^node-\d+$/.test(id))).toEqual(['daemon', 'linux', 'e2e']);
  // The other Node lines, where they are there, run while the applications do.
  const lines = stages().filter(({ id, kind }) => /^node-\d+$/.test(id) && kind === 'vitest');
  expect(ids).toEqual(expect.arrayContaining(lines.map(({ id }) => id)));
});
