import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../program-copy.ts';
import { usePlace } from './harness.ts';

const place = usePlace();

/** The commands of the README's first look, each with the lines that follow it; `…` stands for any lines. */
function firstLook(): readonly { readonly args: readonly string[]; readonly shown: readonly string[] }[] {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, block = ''] = /<!-- printed: first-look -->\n```text\n([^]*?)```/.exec(text) ?? [];
  return block
    .split(/^\$ desk /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...shown] = part.trimEnd().split('\n');
      return { args: line.split(' '), shown };
    });
}

/** Times differ from run to run. */
function timeless(line: string): string {
  return line.replaceAll(/\d+ ms/g, 'N ms');
}

it('the README shows what the program prints', async () => {
  const steps = firstLook();
  expect(steps.length).toBeGreaterThan(3);
  for (const { args, shown } of steps) {
    const { exitCode, stdout, stderr } = await place().desk([...args, '--format', 'human']);
    const printed = (exitCode === 0 ? stdout : stderr).trimEnd().split('\n').map(timeless);
    const end = shown.findIndex((line) => line.trim() === '…');
    const expected = (end === -1 ? shown : shown.slice(0, end)).map(timeless);
    const compared = end === -1 ? printed : printed.slice(0, expected.length);
    expect({ args, printed: compared }).toEqual({ args, printed: expected });
  }
});
