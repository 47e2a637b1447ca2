import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { textWidth } from '../../src/model/text/text-width.ts';
import { PersonAtTerminal } from '../surfaces/cli/support/person-at-terminal.ts';
import { useLab } from './support.ts';

const lab = useLab();
// oxlint-disable-next-line eslint/no-control-regex -- colours, and what erases a line of progress
const CODES = /\u001B\[\d*[mK]/g;

/** What a person sees on a real terminal, without line ends of a terminal. */
async function seen(
  args: readonly string[],
  columns: number,
  variables: NodeJS.ProcessEnv = {},
): Promise<{ readonly exit: number; readonly raw: string; readonly lines: readonly string[] }> {
  const person = new PersonAtTerminal([process.execPath, join(lab().program, 'desk.cjs'), ...args], {
    columns,
    environment: lab().environment({ TERM: 'xterm-256color', ...variables }),
    cwd: lab().folder,
  });
  const { exit } = await person.left;
  const raw = person.shown.replaceAll('\r\n', '\n');
  // What follows a carriage return replaces what was there: a line of progress, then erased.
  const plain = raw.replaceAll(CODES, '').replaceAll(/^.*\r/gm, '');
  return { exit, raw, lines: plain.split('\n').slice(0, -1) };
}

it.each([40, 80, 200])('answers are tables that fit into %i columns', async (columns) => {
  const { exit, raw, lines } = await seen(['config', 'show'], columns);
  expect(exit).toBe(0);
  expect(raw).toContain('\u001B[');
  // The path of the file is whole, so that it can be copied.
  const table = lines.slice(0, -2);
  expect(Math.max(...table.map((line) => textWidth(line)))).toBeLessThanOrEqual(columns);
  expect(lines.join('\n')).toContain('terminal.default_lines');
});

it('colour follows NO_COLOR, FORCE_COLOR and TERM, and the form --format and DESKTERITY_FORMAT', async () => {
  const piped = await lab().desk(['version']);
  const plain = await seen(['version'], 80, { NO_COLOR: '1' });
  expect(plain.raw).toMatch(/^deskterity \S+ \(node .*\)\n$/);
  expect((await seen(['version'], 80, { TERM: 'dumb' })).raw).toBe(plain.raw);
  expect((await seen(['version'], 80)).raw.replaceAll(CODES, '')).toBe(plain.raw);
  expect((await seen(['version', '--format', 'json', '--no-pretty'], 80)).raw).toBe(piped.stdout);
  expect((await seen(['version', '--no-pretty'], 80, { DESKTERITY_FORMAT: 'json' })).raw).toBe(piped.stdout);
  const forced = await lab().desk(['version', '--format', 'human'], { FORCE_COLOR: '1' });
  expect(forced.stdout).toContain('\u001B[1mdeskterity');
  expect(forced.stdout.replaceAll(CODES, '')).toBe(plain.raw);
});

it('a failure of the daemon and one of the command line look alike, with the next step on its own line', async () => {
  const [daemon, client] = await Promise.all([
    seen(['session', 'kill', 'nobody'], 80),
    seen(['session', 'kil', 'nobody'], 80),
  ]);
  for (const { exit, lines, raw } of [daemon, client]) {
    expect(exit).not.toBe(0);
    expect(raw).toContain('\u001B[31m✗ ');
    expect(lines[0]).toMatch(/^✗ [A-Z_]+ [A-Z]/);
    expect(lines.at(-1)).toMatch(/^ {2}→ /);
  }
});

it('--pager shows the answer in $PAGER, and only on a terminal', async () => {
  const paged = await seen(['version', '--pager'], 80, { PAGER: "sed 's/^/paged: /'", NO_COLOR: '1' });
  // A slow answer shows its progress first, and removes it.
  expect(paged.raw.split('\r\u001B[K').at(-1)).toMatch(/^paged: deskterity/);
  const missing = await seen(['version', '--pager'], 80, { PAGER: 'no-such-pager-here', NO_COLOR: '1' });
  expect(missing.lines.at(-1)).toMatch(/^deskterity/);
  const piped = await lab().desk(['version', '--pager'], { PAGER: 'false' });
  expect(JSON.parse(piped.stdout)).toMatchObject({ ok: true });
});

it('is the same under script(1), which knows nothing of us', async () => {
  const program = join(lab().program, 'desk.cjs');
  const command = `stty columns 44; '${process.execPath}' '${program}' config show --no-daemon`;
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
    env: lab().environment({ TERM: 'xterm-256color', NO_COLOR: '1' }),
    cwd: lab().folder,
  });
  // On a busy machine each of them may first report progress, on a line that it erases.
  const shown = (text: string): string => text.replaceAll('\r\n', '\n').split('\r\u001B[K').at(-1) ?? '';
  expect(shown(stdout)).toBe(shown((await seen(['config', 'show'], 44, { NO_COLOR: '1' })).raw));
});
