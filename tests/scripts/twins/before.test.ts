import { expect, it } from 'vitest';
import { onceWindowsAlike, type Before } from '../../../scripts/proof/twins/run/before.ts';
import { seen, view } from './seen.ts';

it('a dialog that only one side shows yet is waited for, and one that never comes is not waited for without end', async () => {
  const [before, dialog] = [view(seen([])), view(seen([], 'About'))];
  const apart: Before = { ours: dialog, twin: before };
  const alike: Before = { ours: dialog, twin: dialog };
  const later = [apart, alike];
  expect(await onceWindowsAlike(apart, async () => later.shift() ?? alike)).toBe(alike);
  expect(later).toEqual([]);
  let looks = 0;
  const look = async (): Promise<Before> => (looks++, apart);
  expect(await onceWindowsAlike(alike, look)).toBe(alike);
  expect(looks).toBe(0);
  expect(await onceWindowsAlike(apart, look, 20)).toBe(apart);
  expect(looks).toBeGreaterThan(0);
});
