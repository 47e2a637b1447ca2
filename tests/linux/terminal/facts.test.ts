import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_USER } from '../sandbox/stage.ts';
import { TerminalStage, type By, type Facts } from './terminal-stage.ts';

const isRoot = process.getuid?.() === 0;
const users = [
  { who: 'root', user: 0, runs: isRoot },
  { who: 'an ordinary user', user: isRoot ? ORDINARY_USER : (process.getuid?.() ?? -1), runs: true },
];

const python = (script: string): [string, ...string[]] => ['/usr/bin/python3', '-c', script];
const bash = (script: string): [string, ...string[]] => ['/bin/bash', '--norc', '-c', script];

/** By what runs: the programs in the foreground with where they wait, and the modes of the terminal. */
const CASES: readonly [string, [string, ...string[]], object][] = [
  ['read -p', bash('read -p "name: " x'), line('bash')],
  ['read -s', bash('read -s -p "password: " x'), { isEchoing: false, processes: [at('bash')] }],
  ['cat', ['/bin/cat'], line('cat')],
  ['cat /dev/tty', bash('cat /dev/tty & wait'), { processes: [at('bash', 'elsewhere'), at('cat')] }],
  [
    'a pipe from the terminal',
    bash('cat | wc -c'),
    { processes: [at('bash', 'elsewhere'), at('cat'), at('wc', 'elsewhere')] },
  ],
  [
    'python3 -q',
    ['/usr/bin/python3', '-q'],
    { isEchoing: false, isLineMode: false, processes: [at('python3', 'poll')] },
  ],
  ['input() of Python', python('input("name? ")'), line('python3')],
  [
    'getpass of Python',
    python('import getpass; getpass.getpass()'),
    { isEchoing: false, isLineMode: true, processes: [at('python3')] },
  ],
  [
    'a thread that waits for input',
    python(
      'import threading, sys, time; threading.Thread(target=sys.stdin.readline).start(); time.sleep(99)',
    ),
    line('python3'),
  ],
  [
    'an epoll',
    python('import select, time; e = select.epoll(); e.register(0, select.EPOLLIN); e.poll()'),
    line('python3', 'poll'),
  ],
  [
    'an epoll of something else',
    python('import select, os; e = select.epoll(); e.register(os.pipe()[0], select.EPOLLIN); e.poll()'),
    line('python3', 'elsewhere'),
  ],
  [
    'a select of something else',
    python('import select, os; select.select([os.pipe()[0]], [], [])'),
    line('python3', 'elsewhere'),
  ],
  [
    'a poll of something else',
    python('import select, os; p = select.poll(); p.register(os.pipe()[0], select.POLLIN); p.poll()'),
    line('python3', 'elsewhere'),
  ],
  [
    'a poll',
    python('import select; p = select.poll(); p.register(0, select.POLLIN); p.poll()'),
    line('python3', 'poll'),
  ],
  [
    'less',
    ['/usr/bin/less', '/proc/self/smaps'],
    { isEchoing: false, isLineMode: false, processes: [at('less')] },
  ],
  ['sleep', ['/bin/sleep', '1000'], line('sleep', 'elsewhere')],
  [
    'a loop of sleeps',
    bash('while :; do sleep 0.2; done'),
    { processes: [at('bash', 'elsewhere'), at('sleep', 'elsewhere')] },
  ],
  ['work', bash('while :; do :; done'), line('bash', 'running')],
  [
    'ssh-keygen',
    ['/usr/bin/ssh-keygen', '-q', '-t', 'ed25519', '-f', 'key'],
    { isEchoing: false, isLineMode: true, processes: [at('ssh-keygen')] },
  ],
  [
    'a shell',
    ['/bin/bash', '--norc', '-i'],
    {
      isEchoing: false,
      isLineMode: false,
      processes: [{ program: 'bash', waitsIn: expect.stringMatching(/^(?:terminal-read|poll)$/) }],
    },
  ],
];

function at(program: string, waitsIn = 'terminal-read'): object {
  return { program, waitsIn };
}

function line(program: string, waitsIn = 'terminal-read'): object {
  return { isEchoing: true, isLineMode: true, processes: [at(program, waitsIn)] };
}

function pictureOf({ isEchoing, isLineMode, processes, foregroundGroup }: Facts): object {
  return {
    foregroundGroup,
    isEchoing,
    isLineMode,
    processes: processes
      .map(({ program, waitsIn }) => ({ program: program.replace(/^python3.*/, 'python3'), waitsIn }))
      .toSorted((one, other) => one.program.localeCompare(other.program)),
  };
}

describe.each(users)('what terminals of $who wait for', ({ user, runs }) => {
  describe.skipIf(!runs)('which this user can open', () => {
    let stage: TerminalStage;
    beforeAll(async () => {
      stage = await TerminalStage.open(user);
    });
    afterAll(async () => stage.close());

    const isNameless = user === ORDINARY_USER;
    // ssh-keygen does not ask who has no name.
    it.each(CASES.filter(([name]) => !isNameless || name !== 'ssh-keygen'))(
      '%s',
      async (_name, command, expected) => {
        const terminal = await stage.start(command);
        await expect
          .poll(async () => pictureOf(await terminal.facts()), { timeout: 5000 })
          .toMatchObject(expected);
        // It stays so.
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(pictureOf(await terminal.facts())).toMatchObject(expected);
        await terminal.end('end', 0, 0);
      },
    );

    it.each(['landlock', 'bubblewrap'] satisfies By[])('of confined programs (%s)', async (by) => {
      const terminal = await stage.start(['/bin/bash', '--norc', '-i'], { by });
      await terminal.shows(/\$ $/);
      await terminal.type('(cat; cat </dev/tty) | cat\r');
      const expected = (programs: object[]) => ({ isEchoing: true, isLineMode: true, processes: programs });
      const waiting = expected([at('bash', 'elsewhere'), at('cat'), at('cat', 'elsewhere')]);
      const picture = async () => {
        const { processes, ...rest } = await terminal.facts();
        const sorted = processes.toSorted((one, other) => other.waitsIn.localeCompare(one.waitsIn));
        return pictureOf({ ...rest, processes: sorted });
      };
      await expect.poll(picture).toMatchObject(waiting);
      await terminal.type('one\r\u0004');
      await terminal.shows(/one\r\none\r\n/);
      await expect.poll(picture).toMatchObject(waiting);
      await terminal.end('end', 0, 0);
    });

    it('of one that was stopped and continues', async () => {
      const terminal = await stage.start(['/bin/bash', '--norc', '-i']);
      await terminal.shows(/\$ $/);
      const script = 'import select; p = select.poll(); p.register(0, select.POLLIN); p.poll(1000000)';
      await terminal.type(`/usr/bin/python3 -c '${script}'\r`);
      const polls = { isEchoing: true, isLineMode: true, processes: [at('python3', 'poll')] };
      await expect.poll(async () => pictureOf(await terminal.facts())).toMatchObject(polls);
      await terminal.type('\u001a');
      await terminal.shows(/Stopped/);
      await terminal.type('fg\r');
      await expect.poll(async () => pictureOf(await terminal.facts())).toMatchObject(polls);
      await terminal.end('end', 0, 0);
    });

    it.skipIf(user === 0)('of another user’s programs, as far as visible (root sees all)', async () => {
      const terminal = await stage.start(['/bin/su', '-c', 'true']);
      await expect
        .poll(async () => pictureOf(await terminal.facts()))
        .toMatchObject({ isEchoing: false, isLineMode: true, processes: [at('su', 'unknown')] });
      // Nor may it be ended by us.
      await terminal.type('\u0003');
      await terminal.wait();
    });

    it('does not take long, with 60 processes', async () => {
      const terminal = await stage.start(bash('for i in $(seq 60); do sleep 1000 & done; cat; true'));
      await expect.poll(async () => (await terminal.facts()).processes.length).toBe(62);
      const took: number[] = [];
      for (let index = 0; index < 20; index += 1) took.push((await terminal.facts()).tookMs);
      expect(Math.min(...took)).toBeLessThan(50);
      await terminal.end('end', 0, 0);
    });
  });
});
