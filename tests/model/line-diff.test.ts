import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from '../../src/model/text/line-diff.ts';

const diff = (before: string, after: string, context = 2) =>
  lineDiff(before, after, { context, show: (line) => line });

it('shows changes with lines around them', () => {
  expect(diff('1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\nX\n6\n7\n8\n9\n')).toBe(
    '@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+X\n 6\n 7',
  );
  expect(diff('1\n2\n3\n4\n5\n6\n7\n8\n', 'a\n2\n3\n4\n5\n6\n7\nb\n')).toBe(
    '@@ -1,3 +1,3 @@\n-1\n+a\n 2\n 3\n@@ -6,3 +6,3 @@\n 6\n 7\n-8\n+b',
  );
  expect(diff('', 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b');
  expect(diff('a\r\nb', 'a\r\nb')).toBe('');
});

/** Applies a change to a text; `undefined` if it does not fit. */
function apply(before: readonly string[], change: string): readonly string[] {
  const done: string[] = [];
  let at = 0;
  for (const line of change.split('\n')) {
    const start = /^@@ -(\d+),(\d+)/.exec(line);
    if (start !== null) {
      const first = Number(start[1]) - (start[2] === '0' ? 0 : 1);
      done.push(...before.slice(at, first));
      at = first;
    } else if (line.startsWith('+')) done.push(line.slice(1));
    else {
      if (line.slice(1) !== before[at]) return [];
      if (line.startsWith(' ')) done.push(line.slice(1));
      at += 1;
    }
  }
  return [...done, ...before.slice(at)];
}

it('can be applied', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(lines, lines, fc.nat({ max: 3 }), (before, after, context) => {
      const change = diff(before.join('\n'), after.join('\n'), context);
      expect(change === '' ? before : apply(before, change)).toEqual(after);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

it('of two long, different texts is fast', () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `a${at}`).join('\n');
  expect(diff(before, before.replaceAll('a', 'b')).split('\n')).toHaveLength(40_001);
});
