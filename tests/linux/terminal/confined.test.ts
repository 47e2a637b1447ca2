import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_USER } from '../sandbox/stage.ts';
import { TerminalStage, type By, type Terminal } from './terminal-stage.ts';

const isRoot = process.getuid?.() === 0;
const users = [
  { who: 'root', user: 0, runs: isRoot },
  { who: 'an ordinary user', user: isRoot ? ORDINARY_USER : (process.getuid?.() ?? -1), runs: true },
];

/** Tries what reaches other terminals, and says by name what it got. */
const HOSTILE = `
import fcntl, os, sys, termios
other, control = sys.argv[1], sys.argv[2]
def tried(name, task):
    try:
        task()
        print('got', name, flush=True)
    except OSError as error:
        print('denied', name, error.errno, flush=True)
    except FileNotFoundError as error:
        print('denied', name, error.errno, flush=True)
def write(path):
    os.write(os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK), b'intruder')
tried('other terminal to write', lambda: write(other))
tried('other terminal to read', lambda: os.open(other, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK))
tried('a new terminal', lambda: os.open('/dev/ptmx', os.O_RDWR | os.O_NOCTTY))
tried('the list of terminals', lambda: os.listdir('/dev/pts'))
tried('typing for others', lambda: fcntl.ioctl(0, termios.TIOCSTI, b'x'))
tried('typing by console', lambda: fcntl.ioctl(0, 0x541c, b'\\x02'))
tried('a line discipline', lambda: fcntl.ioctl(0, termios.TIOCSETD, b'\\x00\\x00\\x00\\x00'))
tried('own terminal', lambda: write('/dev/tty'))
tried('own terminal by name', lambda: write(os.ttyname(0)) if control != 'bubblewrap' else write('/dev/console'))
def leave():
    if os.fork() == 0:
        os.setsid()
        try:
            os.open(other, os.O_RDWR)
            print('got another terminal as own', flush=True)
        except OSError as error:
            print('denied another terminal as own', error.errno, flush=True)
        os._exit(0)
    os.wait()
leave()
print('end of attempts')
`;

const MOST_PAIRS = 5;
const MOST_TERMINALS = 60;

/** A terminal with the number of an earlier one, in which the script ran. */
async function startedOnTerminalOf(stage: TerminalStage, script: string): Promise<Terminal> {
  for (let pairs = 0; pairs < MOST_PAIRS; pairs += 1) {
    const first = await stage.start(['/bin/bash', '-c', script], { by: 'landlock' });
    await first.wait();
    // The kernel gives away the lowest number that is free; this one is free somewhat later, and another test may be faster.
    const others: Terminal[] = [];
    let later = await stage.start(['/bin/cat']);
    while (later.path !== first.path && others.length < MOST_TERMINALS) {
      others.push(later);
      await sleep(20);
      later = await stage.start(['/bin/cat']);
    }
    for (const other of others) await other.end('end', 0, 0);
    if (later.path === first.path) return later;
    await later.end('end', 0, 0);
  }
  throw new Error(`no terminal got the number of an earlier one in ${MOST_PAIRS} attempts`);
}

describe.each(users)('confined terminals of $who', ({ user, runs }) => {
  describe.skipIf(!runs)('which this user can open', () => {
    let stage: TerminalStage;
    beforeAll(async () => {
      stage = await TerminalStage.open(user);
      writeFileSync(stage.path('app', 'hostile.py'), HOSTILE);
    });
    afterAll(async () => stage.close());

    async function attempts(
      by: By,
    ): Promise<{ readonly got: string[]; readonly denied: string[]; readonly other: string }> {
      const other = await stage.start(['/bin/cat']);
      const terminal = await stage.start(
        ['/usr/bin/python3', stage.path('app', 'hostile.py'), other.path, by],
        {
          by,
          confinement: { read: [stage.path('app')] },
        },
      );
      const { tail } = await terminal.wait();
      expect(tail).toContain('end of attempts');
      await other.type('\u0004');
      await other.wait();
      const lines = (word: string) =>
        [...tail.matchAll(new RegExp(`(?:intruder)?${word} ([a-z ]+)`, 'g'))].map(([, what = '']) =>
          what.trim(),
        );
      return { got: lines('got'), denied: lines('denied'), other: await other.output() };
    }

    it.each(['landlock', 'bubblewrap'] satisfies By[])('reach only their own terminal (%s)', async (by) => {
      const { got, other } = await attempts(by);
      // bubblewrap has a folder of terminals of its own, with none of the machine's in it.
      const harmless = by === 'bubblewrap' ? ['a new terminal', 'the list of terminals'] : [];
      expect(got.filter((what) => !harmless.includes(what))).toEqual([
        'own terminal',
        'own terminal by name',
      ]);
      expect(other).toBe('');
    });

    it('would reach other terminals without confinement', async () => {
      const { got, other } = await attempts('none');
      expect(got).toEqual(
        expect.arrayContaining([
          'other terminal to write',
          'other terminal to read',
          'a new terminal',
          'own terminal',
        ]),
      );
      expect(other).toContain('intruder');
    });

    it('do not reach a later terminal with the same number', async () => {
      const late =
        'while ! [ -e go ]; do sleep 0.05; done; echo late > $0; echo "$?" > result.new; mv result.new result';
      const script = `trap "" HUP; terminal=$(tty); setsid sh -c '${late}' $terminal </dev/null >/dev/null 2>failed & exit`;
      const later = await startedOnTerminalOf(stage, script);
      writeFileSync(stage.path('scope', 'go'), '');
      const result = () => readFileSync(stage.path('scope', 'result'), 'utf8');
      await expect.poll(result).toMatch(/^[12]\n$/);
      expect(readFileSync(stage.path('scope', 'failed'), 'utf8')).toMatch(/permission denied/i);
      expect(await later.output()).toBe('');
      await later.end('end', 0, 0);
    });

    it.each(['landlock', 'bubblewrap'] satisfies By[])('cannot write outside (%s)', async (by) => {
      const outside = stage.path('outside', by);
      const script = `echo in > inside && cat inside; echo out > ${outside} || echo "no: $?"`;
      const terminal = await stage.start(['/bin/sh', '-c', script], { by });
      const { tail } = await terminal.wait();
      expect(tail).toMatch(/^in\r\n[^\r]*\r\nno: [12]\r\n$/);
      expect(() => readFileSync(outside)).toThrow(/ENOENT/);
    });

    it('report denied accesses', async () => {
      const terminal = await stage.start(['/bin/sh', '-c', `echo x > ${stage.path('outside', 'file')}`], {
        by: 'landlock',
        confinement: { denyReport: true },
      });
      await terminal.wait();
      expect(await terminal.ask('denied')).toEqual([
        expect.objectContaining({
          operation: 'create',
          target: stage.path('outside', 'file'),
          program: 'sh',
        }),
      ]);
    });

    it('report what could not be started', async () => {
      for (const by of ['none', 'landlock', 'bubblewrap'] satisfies By[]) {
        await expect(stage.start(['no-such-program'], { by })).rejects.toMatchObject({
          code: 'ACTION_FAILED',
          message: 'The program no-such-program was not found.',
        });
      }
    });
  });
});
