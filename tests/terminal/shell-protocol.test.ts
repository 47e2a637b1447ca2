import { describe, expect, it } from 'vitest';
import { ShellProtocol, type Received } from '../../src/terminal/shells/shell-protocol.ts';
import type { BoundedShellKind } from '../../src/terminal/shells/shell-kind.ts';

const TOKEN = 'feedfeedfeedfeedfeedfeedfeedfeed';
const mark = (body: string): string => `\u{1B}]8571;${TOKEN};${body}\u{7}`;
const WAIT = { isBackground: false, waitMs: 1000 };

function dialogue(kind: BoundedShellKind = 'bash'): ShellProtocol {
  return new ShellProtocol({ kind, token: TOKEN, startedMs: 0, keptBytes: 1000 });
}
const shownOf = (received: Received): string => Buffer.concat(received.shown).toString('utf8');
const say = (talk: ShellProtocol, text: string, atMs = 1): Received => talk.receive(Buffer.from(text), atMs);

describe('ShellProtocol', () => {
  it('shows the command instead of the echo of our line and keeps its mode changes', () => {
    const talk = dialogue();
    expect(shownOf(say(talk, `${mark('p;0;0;/')}\u{1B}[?2004h$ `))).toBe('\u{1B}[?2004h$ ');
    const typed = talk.run('echo "a\nb\u{1B}\t"', 2, WAIT);
    expect(typed).toMatchObject({ sequence: 1, file: { name: 'command-1', text: 'echo "a\nb\u{1B}\t"' } });
    expect(shownOf(say(talk, ' __dkt_go 1; ev'))).toBe('');
    expect(shownOf(say(talk, `al\r\n\u{1B}[?2004l\r${mark('x;0;')}`))).toBe('');
    const begun = say(talk, `${mark('b;1')}out\r\n`);
    expect(begun.begun).toEqual([1]);
    expect(shownOf(begun)).toBe('echo "a\r\nb^[\t"\u{1B}[?2004l\r\nout\r\n');
    expect(talk.rangeOf(1)).toEqual({ from: 34 });
    const ended = say(talk, `more${mark('e;1;2;/')}user's hook${mark('p;1;2;/')}$ `);
    expect(shownOf(ended)).toBe("moreuser's hook$ ");
    expect(ended).toMatchObject({ outcomes: [{ kind: 'completed', exitCode: 2 }], isPrompt: true });
    expect(talk.rangeOf(1)).toEqual({ from: 34, to: 43 });
    expect(Buffer.from(talk.outputOf(1, 10)?.bytes ?? []).toString()).toBe('out\nmore');
    expect(talk.outputOf(2, 10)).toBeUndefined();
  });

  it('shows the output of the shell if the command does not begin', () => {
    const talk = dialogue();
    say(talk, `${mark('p;0;0;/')}$ `);
    talk.run('true', 2, { ...WAIT, waitMs: 60_000 });
    expect(shownOf(say(talk, 'what is this?'))).toBe('');
    expect(talk.deadlineMs).toBe(10_002);
    const given = talk.pass(10_002);
    expect(shownOf(given)).toBe('what is this?');
    expect(given.outcomes).toMatchObject([{ kind: 'not_begun', sequence: 1 }]);
  });

  it('reads what the shell has written while everything stood still before it gives up', () => {
    const talk = dialogue();
    say(talk, mark('p;0;0;/'));
    talk.run('true', 2, { ...WAIT, waitMs: 60_000 });
    expect(talk.pass(15_000).outcomes).toEqual([]);
    const { outcomes } = say(talk, `${mark('x;0;')}${mark('b;1')}out${mark('e;1;3;/')}`, 15_001);
    expect(outcomes).toMatchObject([{ kind: 'completed', sequence: 1, exitCode: 3 }]);
    expect(Buffer.from(talk.outputOf(1, 10)?.bytes ?? []).toString()).toBe('out');
  });

  it('gives up once all the same after everything stood still', () => {
    const talk = dialogue();
    say(talk, mark('p;0;0;/'));
    talk.run('true', 2, { ...WAIT, waitMs: 60_000 });
    talk.pass(15_000);
    expect(talk.deadlineMs).toBe(16_000);
    expect(talk.pass(15_999).outcomes).toEqual([]);
    expect(talk.pass(30_000).outcomes).toMatchObject([{ kind: 'not_begun', sequence: 1 }]);
    expect(talk.deadlineMs).toBeUndefined();
  });

  it('buffers only a bounded amount of output while a command does not begin', () => {
    const talk = dialogue();
    say(talk, `${mark('p;0;0;/')}$ `);
    talk.run('true', 2, WAIT);
    const piece = 'y\r\n'.repeat(20_000);
    const shown = Array.from({ length: 10 }, () => shownOf(say(talk, piece)).length);
    expect(shown.reduce((sum, length) => sum + length)).toBeGreaterThan(10 * piece.length - 300_000);
    expect(shownOf(say(talk, mark('b;1')))).toBe('true\r\n');
    expect(talk.rangeOf(1)?.from).toBeGreaterThan(300_000);
  });

  it('shows held back output when the shell ends', () => {
    const talk = dialogue();
    expect(shownOf(say(talk, `bye\u{1B}]8571;`))).toBe('bye');
    expect(shownOf(talk.end({ exitCode: 1, signal: undefined }, 5))).toBe('\u{1B}]8571;');
    expect(talk.state.kind).toBe('gone');
  });

  it('pastes into a line editor that enabled it and types elsewhere', () => {
    const zsh = dialogue('zsh');
    say(zsh, `${mark('p;0;0;/')}% \u{1B}[?20`);
    say(zsh, '04h');
    const pasted = zsh.run('true', 2, WAIT).line;
    expect(pasted.startsWith('\u{1B}[200~ __dkt_go 1; ')).toBe(true);
    expect(pasted.endsWith('\u{1B}[201~\r')).toBe(true);
    say(zsh, `\u{1B}[?2004l${mark('x;0;')}${mark('b;1')}\u{1B}[?2004h${mark('e;1;0;/')}${mark('p;1;0;/')}`);
    expect(zsh.run('true', 3, WAIT).line).toMatch(/^ __dkt_go 2; .*\r$/u);
    const fish = dialogue('fish');
    say(fish, `${mark('p;0;0;/')}\u{1B}[?2004h> `);
    expect(fish.run('true', 2, WAIT).line).toBe(' __dkt_go 1; eval $__dkt_c; __dkt_end\r');
  });

  it('gives up a command that an earlier key discarded', () => {
    const talk = dialogue();
    say(talk, mark('p;0;0;/'));
    talk.touch(2);
    say(talk, mark('p;0;0;/'));
    talk.run('true', 900, WAIT);
    say(talk, mark('p;0;0;/'), 901);
    expect(talk.deadlineMs).toBe(1900);
    expect(talk.pass(1900).outcomes.map(({ kind }) => kind)).toEqual(['timed_out']);
    expect(talk.pass(2401).outcomes.map(({ kind }) => kind)).toEqual(['not_begun']);
    talk.run('true', 3000, WAIT);
    say(talk, mark('p;0;0;/'), 3001);
    expect(talk.pass(4001).outcomes.map(({ kind }) => kind)).toEqual(['timed_out']);
  });

  it('refuses what cannot be run without typing anything', () => {
    const talk = dialogue();
    expect(() => talk.run('true', 1, WAIT)).toThrow('The terminal is busy: the shell is starting.');
    say(talk, mark('p;0;0;/'));
    expect(() => talk.run('a\0b', 1, WAIT)).toThrow('The command contains a NUL character.');
    expect(() => talk.run('x'.repeat(5_000_000), 1, WAIT)).toThrow('The command is larger than 4 MiB.');
    expect(talk.state.kind).toBe('idle');
    expect(talk.run('true', 1, WAIT).sequence).toBe(1);
    talk.touch(2);
    expect(() => talk.run('true', 1, WAIT)).toThrow(
      'The terminal is busy: the shell has not started "true" yet.',
    );
  });
});
