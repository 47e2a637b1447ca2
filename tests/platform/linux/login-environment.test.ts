import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loginEnvironment, parseMarked } from '../../../src/platform/linux/machine/login-environment.ts';
import { isAlive } from '../../../src/platform/paths.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deskterity-login-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const ask = async (shell: string, timeoutMs = 10_000) =>
  loginEnvironment({ inherited: { HOME: home, PATH: '/usr/bin:/bin', GONE: undefined }, shell, timeoutMs });

describe.skipIf(!existsSync('/bin/bash'))('the environment of the login shell (needs bash)', () => {
  it('includes login and interactive files, and keeps line ends in values', async () => {
    writeFileSync(join(home, '.bash_profile'), 'export FROM_LOGIN="a\nb"\n. ~/.bashrc\n');
    writeFileSync(join(home, '.bashrc'), 'case $- in *i*) export PATH="$HOME/.nvm/bin:$PATH" ;; esac\n');
    const { environment, fromShell } = await ask('/bin/bash');
    expect(fromShell).toBe(true);
    expect(environment).toMatchObject({ HOME: home, FROM_LOGIN: 'a\nb' });
    expect(environment['PATH']).toMatch(new RegExp(`^${home}/.nvm/bin:`));
    expect(environment).not.toHaveProperty('SHLVL');
    expect(environment).not.toHaveProperty('TERM');
  });

  it('works with a profile that prints, prompts, redefines commands and leaves processes running', async () => {
    const noise = [
      'echo hello; printf "deskterity-environment"; alias env=false; alias printf=false; env() { false; }',
      'read -p "Your name? " answer; export ANSWER="[$answer]"',
      'stty -echo; (sleep 600 & echo $! > ~/left)',
      'export GOOD=yes',
    ];
    writeFileSync(join(home, '.bash_profile'), noise.join('\n'));
    const { environment, fromShell } = await ask('/bin/bash');
    expect(fromShell).toBe(true);
    expect(environment).toMatchObject({ GOOD: 'yes', ANSWER: '[]' });
    const left = Number(readFileSync(join(home, 'left'), 'utf8'));
    await expect.poll(() => isAlive(left)).toBe(false);
  });

  it('is read again without the interactive files if those hang', async () => {
    writeFileSync(join(home, '.bash_profile'), 'export FROM_LOGIN=yes\ncase $- in *i*) sleep 600 ;; esac\n');
    const { environment, fromShell } = await ask('/bin/bash', 1000);
    expect({ fromShell, login: environment['FROM_LOGIN'] }).toEqual({ fromShell: true, login: 'yes' });
  });

  it('is inherited if the shell never answers, with the reason', async () => {
    writeFileSync(join(home, '.bash_profile'), 'sleep 600\n');
    const answer = await ask('/bin/bash', 200);
    expect(answer).toEqual({
      environment: { HOME: home, PATH: '/usr/bin:/bin' },
      fromShell: false,
      problem: '/bin/bash -l: no answer within 200 ms',
    });
  });

  it.each([
    ['one that is not there', '/no/such/shell', /ENOENT/],
    ['one that prints without end', undefined, /printed more than \d+ bytes/],
    ['one that says nothing', '/bin/true', /without an answer/],
  ])('is inherited with %s', async (_, shell, problem) => {
    const endless = join(home, 'endless');
    writeFileSync(endless, '#!/bin/sh\nyes\n');
    chmodSync(endless, 0o755);
    const answer = await ask(shell ?? endless);
    expect(answer).toMatchObject({ fromShell: false, problem: expect.stringMatching(problem) });
  });
});

describe('the shell’s output', () => {
  const mark = 'deskterity-environment';

  it('is not read before it is complete', () => {
    const whole = `noise ${mark}<A=1\0B=x=y\nz\0>${mark} more`;
    for (let length = 0; length < whole.indexOf(` more`); length += 1)
      expect(parseMarked(whole.slice(0, length))).toBeUndefined();
    expect(parseMarked(whole)).toEqual({ A: '1', B: 'x=y\nz' });
  });

  it('contains only variables', () => {
    expect(
      parseMarked(`${mark}<BASH_FUNC_x%%=() { :; }\0SHLVL=2\0_=/usr/bin/env\0=odd\0EMPTY=\0>${mark}`),
    ).toEqual({ EMPTY: '' });
  });
});
