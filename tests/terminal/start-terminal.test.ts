import { expect, it } from 'vitest';
import { shellFor } from '../../src/terminal/use-cases/start-terminal.ts';

it.each([
  ['that of the account', '/usr/bin/fish', '/bin/zsh', '/usr/bin/fish'],
  ['that of the environment where the account has none', null, '/bin/zsh', '/bin/zsh'],
  ['that of the environment where nobody logs in', '/usr/sbin/nologin', '/bin/zsh', '/bin/zsh'],
  ['the one that is everywhere', '/bin/false', undefined, '/bin/sh'],
  ['none by a relative name', null, 'zsh', '/bin/sh'],
])('the shell of a terminal is %s', (_, account, variable, shell) => {
  expect(shellFor({ SHELL: variable }, () => account)).toEqual({ path: shell });
});

it('a user without an account gets a shell', () => {
  const none = () => {
    throw new Error('no such user');
  };
  expect(shellFor({ SHELL: '/bin/zsh' }, none)).toEqual({ path: '/bin/zsh' });
});

it('a shell without detectable command boundaries is replaced', () => {
  expect(shellFor({}, () => '/usr/bin/tcsh')).toEqual({ path: '/bin/sh', inPlaceOf: '/usr/bin/tcsh' });
});
