import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPathFacts } from '../../../src/platform/node/path-facts.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'path-facts-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('tells what is behind a link, and whether that is a script', () => {
  const [script, program, link] = ['script', 'program', 'link'].map((name) => join(folder, name));
  writeFileSync(script ?? '', '#!/bin/sh\n');
  writeFileSync(program ?? '', '\x7fELF');
  symlinkSync(script ?? '', link ?? '');
  expect(readPathFacts(link ?? '')).toEqual({ real: script, isScript: true });
  expect(readPathFacts(script ?? '')).toEqual({ isScript: true });
  expect(readPathFacts(program ?? '')).toEqual({});
  expect(readPathFacts(folder)).toEqual({});
  expect(readPathFacts(join(folder, 'missing'))).toEqual({});
});

it('does not open files that wait for a reader', () => {
  expect(readPathFacts('/proc/kmsg')).toEqual({});
  expect(readPathFacts('/dev/tty')).toEqual({});
});
