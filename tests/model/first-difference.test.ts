import { expect, it } from 'vitest';
import { insteadOf } from '../../src/model/text/first-difference.ts';

it('shows short texts whole', () => {
  expect(insteadOf('ab', 'ac')).toBe('"ab" instead of "ac"');
});

it('shows long texts where they differ, with what stands before', () => {
  const same = 'x'.repeat(1_000_000);
  const shown = insteadOf(`${same}read`, `${same}wanted`);
  expect(shown).toContain(`"…${'x'.repeat(20)}read" instead of "…${'x'.repeat(20)}wanted"`);
  expect(shown).toContain('from character 1000001 on (1000004 characters instead of 1000006)');
});

it('shows where a text was cut off', () => {
  const long = 'ab'.repeat(100);
  expect(insteadOf(long.slice(0, 100), long)).toContain('(100 characters instead of 200)');
});
