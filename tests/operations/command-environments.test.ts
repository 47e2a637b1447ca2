import { describe, expect, it } from 'vitest';
import { completed, CommandEnvironments } from '../../src/operations/command-environments.ts';
import type { Platform } from '../../src/ports/platform.ts';
import { createClock } from '../../src/platform/node/clock.ts';

const LOGIN = {
  PATH: '/home/a/.nvm/bin:/usr/bin:/bin',
  JAVA_HOME: '/opt/java',
  DESKTERITY_SANDBOX_SCOPE: '/',
};

describe('a completed environment', () => {
  it('has the caller’s variables and those it lacks; settings are only the caller’s', () => {
    expect(completed({ HOME: '/home/a', JAVA_HOME: '/own' }, LOGIN)).toEqual({
      HOME: '/home/a',
      JAVA_HOME: '/own',
      PATH: LOGIN.PATH,
    });
  });

  it.each([
    ['/usr/bin:/bin', '/home/a/.nvm/bin:/usr/bin:/bin'],
    ['/usr/local/sbin:/usr/games:/snap/bin:/bin', `${LOGIN.PATH}:/usr/local/sbin:/usr/games:/snap/bin`],
    ['/project/venv/bin:/usr/bin', '/project/venv/bin:/usr/bin:/home/a/.nvm/bin:/bin'],
    ['', LOGIN.PATH],
  ])('with the PATH %s of the caller has the PATH %s', (ofCaller, joined) => {
    expect(completed({ PATH: ofCaller }, LOGIN)['PATH']).toBe(joined);
  });
});

describe('a login shell', () => {
  const environments = (ask: Platform['loginEnvironment'] | undefined, now = createClock()) => {
    const said: unknown[] = [];
    const log = { write: (entry: { readonly message: string }) => void said.push(entry.message) };
    return { of: new CommandEnvironments({ ask, clock: now, log }), said };
  };

  it('runs once per home, without the client’s environment', async () => {
    const asked: unknown[] = [];
    const { of } = environments(async (told) => {
      asked.push(told);
      return { environment: LOGIN };
    });
    const mine = { HOME: '/home/a', PATH: '/bin', SECRET_OF_A: 'x' };
    const [first, second, third] = await Promise.all([
      of.of(mine),
      of.of({ HOME: '/home/a', PATH: '/bin' }),
      of.of({ HOME: '/home/b' }),
    ]);
    expect(first).toMatchObject({ SECRET_OF_A: 'x', JAVA_HOME: '/opt/java' });
    expect(second).not.toHaveProperty('SECRET_OF_A');
    expect(third).toMatchObject({ HOME: '/home/b' });
    expect(asked).toMatchObject([{ HOME: '/home/a' }, { HOME: '/home/b' }]);
    expect(JSON.stringify(asked)).not.toContain('SECRET_OF_A');
  });

  it('that does not answer delays only the first command', async () => {
    let time = 0;
    const slept: number[] = [];
    const clock = {
      now: () => time,
      sleep: async (ms: number) => {
        slept.push(ms);
        time += ms;
      },
    };
    const { of } = environments(() => new Promise(() => undefined), clock);
    const mine = { HOME: '/home/a', PATH: '/bin' };
    expect(await of.of(mine)).toBe(mine);
    expect(await of.of(mine)).toBe(mine);
    expect(slept).toEqual([3000, 0]);
  });

  it('that fails leaves the environment unchanged, is logged, and runs again later', async () => {
    let time = 0;
    const clock = { now: () => time, sleep: () => new Promise<void>(() => undefined) };
    let asked = 0;
    const { of, said } = environments(async () => {
      asked += 1;
      return asked === 1 ? { problem: 'no shell' } : { environment: LOGIN };
    }, clock);
    const mine = { HOME: '/home/a', PATH: '/bin' };
    expect(await of.of(mine)).toBe(mine);
    expect(await of.of(mine)).toBe(mine);
    expect({ asked, said }).toEqual({ asked: 1, said: ['the login shell returned no environment'] });
    time = 61_000;
    expect(await of.of(mine)).toMatchObject({ JAVA_HOME: '/opt/java' });
  });

  it('does not run if not needed', async () => {
    const mine = { PATH: '/bin' };
    expect(await environments(undefined).of.of(mine)).toBe(mine);
  });
});
