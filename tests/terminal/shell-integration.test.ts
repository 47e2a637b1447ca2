import { describe, expect, it } from 'vitest';
import { startOf } from '../../src/terminal/shells/shell-integration.ts';
import { shellKindOf } from '../../src/terminal/shells/shell-kind.ts';

describe('shellKindOf', () => {
  it.each([
    ['/bin/bash', 'bash'],
    ['-zsh', 'zsh'],
    ['fish', 'fish'],
    ['/usr/bin/ksh93', 'posix'],
    ['-dash', 'posix'],
    ['/usr/bin/python3', 'none'],
    ['/usr/bin/nu', 'none'],
    ['csh', 'none'],
    ['', 'none'],
  ])('%s is %s', (program, kind) => {
    expect(shellKindOf(program)).toBe(kind);
  });
});

describe('startOf', () => {
  const place = { folder: "/run/it's here", token: 'abc' };
  const environment = { HOME: '/h', ENV: "/e'", ZDOTDIR: '/z', PATH: '/bin' };

  it.each(['bash', 'zsh', 'fish', 'posix'] as const)(
    'keeps the token out of the environment of %s',
    (kind) => {
      const start = startOf(kind, '/bin/shell', environment, place);
      expect(Object.values(start.environment).join('\n')).not.toContain('abc');
      expect(start.command.join('\n')).not.toContain('abc');
      expect(start.files.some(({ text }) => text.includes("'abc'"))).toBe(true);
    },
  );

  it('changes one variable for bash and zsh and restores it', () => {
    const bash = startOf('bash', '/bin/bash', environment, place);
    expect(bash.environment).toEqual({ ...environment, ENV: "/run/it's here/bash-start" });
    expect(bash.files.find(({ name }) => name === 'bash-start')?.text).toContain(
      String.raw`builtin export ENV='/e'\'''`,
    );
    const zsh = startOf('zsh', '/bin/zsh', environment, place);
    expect(zsh.environment).toEqual({ ...environment, ZDOTDIR: "/run/it's here" });
    expect(zsh.files.find(({ name }) => name === '.zshenv')?.text).toContain(
      "'builtin' 'export' ZDOTDIR='/z'",
    );
    const { ZDOTDIR: _, ENV: __, ...without } = environment;
    expect(startOf('zsh', '/bin/zsh', without, place).files[1]?.text).toContain("'builtin' 'unset' ZDOTDIR");
    expect(startOf('fish', '/bin/fish', environment, place).environment).toEqual(environment);
    expect(startOf('posix', '/bin/sh', environment, place).environment).toEqual(environment);
  });
});
