import path from 'node:path';
import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DetachKeys, parseDetachKeys } from '../../../src/surfaces/cli/verbs/attach/detach-keys.ts';
import { PersonAtTerminal } from './support/person-at-terminal.ts';

const AS_FOUND = { line: true, echo: true };
let folder = '';
const people: PersonAtTerminal[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'attach-'));
  await build({
    entryPoints: [path.join(import.meta.dirname, 'support/attach-program.ts')],
    outfile: path.join(folder, 'attach.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
});
afterAll(() => {
  for (const one of people.splice(0)) one.end();
  rmSync(folder, { recursive: true, force: true });
});

function person(...args: readonly string[]): PersonAtTerminal {
  const one = new PersonAtTerminal([process.execPath, path.join(folder, 'attach.mjs'), ...args]);
  people.push(one);
  return one;
}

/** Attached by hand; the first key ends the wait for the hint to be read, and is typed. */
async function attached(...args: readonly string[]): Promise<PersonAtTerminal> {
  const one = person(...args);
  await one.sees('detaches.');
  one.type('-');
  await one.sees('drawn 80x24');
  await one.sees('typed 2d');
  return one;
}

describe('desk terminal attach', { timeout: 60_000 }, () => {
  it('says how to detach, draws, follows the size, forwards input and restores the terminal', async () => {
    const one = await attached();
    expect(one.shown).toMatch(/ctrl-\] detaches/);
    expect(await one.modes()).toEqual({ line: false, echo: false });
    one.resize(101, 31);
    await one.sees('size 101x31');
    one.type('ab\u0003\u001A');
    await one.sees('typed 6162031a');
    one.type('f');
    await one.sees('\u001B[?1003h');
    one.type('\u001D');
    expect(await one.left).toEqual({ exit: 0, modes: AS_FOUND });
    const [, last = ''] = one.shown.split('\u001B[?1003h');
    for (const sequence of ['\u001B[?1049l', '\u001B[?1003l', '\u001B[?25h', '\u001B[?2004l', '\u001B[0m'])
      expect(last).toContain(sequence);
    expect(last).toContain('Attach again: desk terminal attach --tag tag');
  });

  it('forwards an incomplete detach sequence and exits with the exit code of the shell', async () => {
    const one = await attached('ctrl-p,ctrl-q');
    one.type('\u0010');
    one.type('n\u001D');
    await one.sees('typed 106e1d');
    one.type('x');
    expect(await one.left).toEqual({ exit: 7, modes: AS_FOUND });
    expect(one.shown).toContain('has ended with exit code 7');
  });

  it('reports that the daemon has exited and how to attach again', async () => {
    const one = await attached();
    one.type('f');
    await one.sees('\u001B[?1003h');
    one.type('d');
    expect(await one.left).toEqual({ exit: 11, modes: AS_FOUND });
    const [, last = ''] = one.shown.split('\u001B[?1003h');
    expect(last).toContain('\u001B[?1003l');
    expect(last).toMatch(
      /DAEMON_UNAVAILABLE: The daemon has exited.*It keeps running\. .*desk terminal attach --tag tag/,
    );
  });

  it.each([
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ])('restores the terminal on %s', async (_, number) => {
    const one = await attached();
    one.type('f');
    await one.sees('\u001B[?1003h');
    one.signal(number);
    expect((await one.left).modes).toEqual(AS_FOUND);
    expect(one.shown).toContain('\u001B[?1003l');
  });

  it('ends when its own terminal closes, as with a lost ssh connection', async () => {
    const one = await attached();
    one.hangUp();
    expect((await one.left).exit).not.toBe(-9);
  });

  it('restores the terminal while it is stopped and redraws when it continues', async () => {
    const one = await attached();
    one.signal(20);
    await one.is('T');
    expect(await one.modes()).toEqual(AS_FOUND);
    one.shown = '';
    one.signal(18);
    await one.sees('drawn 80x24');
    expect(await one.modes()).toEqual({ line: false, echo: false });
    one.type('z');
    await one.sees('typed 7a');
  });

  it('in a new window discards input typed before the first output, and prints nothing', async () => {
    const one = person('ctrl-]', 'w1');
    one.type('secret of another window\r');
    await one.sees('drawn 80x24');
    one.type('q');
    await one.sees('typed 71');
    expect(one.shown).not.toContain('detaches');
    expect(one.shown).not.toMatch(/typed 73/);
    // The daemon ends: the window stays until somebody has read it.
    one.type('d');
    await one.sees('Ctrl-C to close the window');
    one.type('n\u0003');
    expect(await one.left).toEqual({ exit: 11, modes: AS_FOUND });
  });
});

describe('detach keys', () => {
  const press = (keys: string, ...pieces: readonly string[]) => {
    const found = new DetachKeys(parseDetachKeys(keys));
    const results = pieces.map((piece) => found.push(Buffer.from(piece)));
    return {
      typed: results.map(({ typed }) => typed.toString()).join(''),
      isDetached: results.some(({ isDetached }) => isDetached),
    };
  };

  it('are found in every encoding, even in pieces', () => {
    for (const way of ['\u001D', '\u001B[93;5u', '\u001B[27;5;93~']) {
      expect(press('ctrl-]', `a${way}b`)).toEqual({ typed: 'a', isDetached: true });
      expect(press('^]', 'a', way.slice(0, 2), way.slice(2))).toEqual({ typed: 'a', isDetached: true });
    }
  });

  it('do not match other input', () => {
    expect(press('ctrl-]', '\u001B', '[A', '\u001B[93', ';6u')).toEqual({
      typed: '\u001B[A\u001B[93;6u',
      isDetached: false,
    });
    expect(press('ctrl-p,d', '\u0010', '\u0010', 'd')).toEqual({ typed: '\u0010', isDetached: true });
  });

  it.each(['', 'ctrl-', 'alt-x', 'ctrl-1', 'ab', 'a,b,c,d,e', 'é'])('cannot be %j', (text) => {
    expect(() => parseDetachKeys(text)).toThrow(/--detach-keys/);
  });
});
