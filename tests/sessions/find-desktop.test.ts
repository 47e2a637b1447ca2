import { expect, it } from 'vitest';
import type { Environment } from '../../src/model/sessions/caller.ts';
import { withUserDesktop } from '../../src/sessions/find-desktop.ts';

const CALLER = { cwd: '/work', environment: { HOME: '/home/me', XAUTHORITY: '/stale' } };

const finding = (found: Environment | undefined) => ({
  displayIn: ({ DISPLAY }: Environment) => DISPLAY,
  findUserDesktop: async () => found,
});

it('a caller gets the variables of the found desktop, overriding its own, and is marked', async () => {
  const found = { DISPLAY: ':5', XAUTHORITY: undefined };
  expect(await withUserDesktop(CALLER, finding(found))).toEqual({
    cwd: '/work',
    environment: { HOME: '/home/me', DISPLAY: ':5', XAUTHORITY: undefined },
    isDesktopFound: true,
  });
});

it('a caller that names its display is not marked', async () => {
  const caller = { ...CALLER, environment: { DISPLAY: ':5' } };
  expect(await withUserDesktop(caller, finding({ XAUTHORITY: '/key' }))).toEqual({
    cwd: '/work',
    environment: { DISPLAY: ':5', XAUTHORITY: '/key' },
    isDesktopFound: false,
  });
});

it('a caller is unchanged if nothing was found', async () => {
  expect(await withUserDesktop(CALLER, finding(undefined))).toBe(CALLER);
});

it('a caller over ssh does not get the screen of the machine', async () => {
  const caller = { ...CALLER, environment: { SSH_CONNECTION: '10.0.0.2 5000 10.0.0.1 22' } };
  expect(await withUserDesktop(caller, finding({ DISPLAY: ':5' }))).toBe(caller);
});
