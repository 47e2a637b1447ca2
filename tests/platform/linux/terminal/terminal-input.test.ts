import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Argument, Kernel } from '../../../../src/platform/linux/sandbox/libc-library.ts';
import type { Pty } from '../../../../src/platform/linux/terminal/pty.ts';
import { TerminalInput } from '../../../../src/platform/linux/terminal/terminal-input.ts';

const EAGAIN = 11;
const EIO = 5;
const ICANON = 2;

/** A kernel that takes as many bytes of each write as it is told, and cuts lines as Linux does where it gathers them. */
class FakeTerminal {
  readonly taken: number[] = [];
  isLineMode = false;
  isGone = false;
  private readonly portions: number[];

  constructor(portions: readonly number[]) {
    this.portions = [...portions];
  }

  get pty(): Pty {
    const kernel: Kernel = {
      architecture: 'x64',
      call: (name, ...values) => (name === 'write' ? this.write(values) : this.settings(values)),
      callOnThread: async () => 0,
      library: () => () => 0,
      foreign: () => () => () => 0,
      address: () => 0n,
      errorName: String,
      describe: String,
    };
    return { kernel, master: 9, slave: 10, path: '/dev/pts/0', node: { device: 0n, inode: 0n } };
  }

  private write([, bytes]: readonly Argument[]): number {
    if (this.isGone) return -EIO;
    const portion = this.portions.shift() ?? Number.POSITIVE_INFINITY;
    if (!(bytes instanceof Uint8Array) || portion === 0) return -EAGAIN;
    const part = bytes.subarray(0, portion);
    this.taken.push(...part);
    return part.length;
  }

  private settings([, , memory]: readonly Argument[]): number {
    if (memory instanceof Uint8Array) memory[12] = this.isLineMode ? ICANON : 0;
    return 0;
  }
}

const portions = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 });
const texts = fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 4 });

describe('typing into a terminal', () => {
  it('delivers every byte once and in order, however little is accepted at a time', async () => {
    await fc.assert(
      fc.asyncProperty(portions, texts, async (taking, typed) => {
        const terminal = new FakeTerminal(taking);
        const input = new TerminalInput(terminal.pty);
        await Promise.all(typed.map((bytes) => input.write(bytes)));
        expect(Buffer.from(terminal.taken)).toEqual(Buffer.concat(typed));
      }),
      { numRuns: 60 },
    );
  });

  it('never sends a longer line than the kernel keeps', async () => {
    const lines = fc.array(fc.integer({ min: 0, max: 6000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(portions, lines, fc.boolean(), async (taking, lengths, isAtOnce) => {
        const terminal = new FakeTerminal(taking);
        terminal.isLineMode = true;
        const input = new TerminalInput(terminal.pty);
        const typed = lengths.map((length) => `${'x'.repeat(length)}\r`);
        const parts = isAtOnce ? [typed.join('')] : typed;
        const outcomes = await Promise.allSettled(parts.map((part) => input.write(Buffer.from(part))));
        const fits = parts.map((part) => part.split('\r').every((line) => line.length <= 4095));
        expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(fits);
        // All of one or nothing.
        const expected = parts.filter((_, index) => fits[index]).join('');
        expect(Buffer.from(terminal.taken).toString()).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('counts the bytes already in the line', async () => {
    const terminal = new FakeTerminal([]);
    terminal.isLineMode = true;
    const input = new TerminalInput(terminal.pty);
    await input.write(Buffer.from('a'.repeat(4000)));
    await expect(input.write(Buffer.from('b'.repeat(96)))).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      delivered: false,
    });
    await input.write(Buffer.from(`\u0015${'c'.repeat(4095)}`));
    terminal.isLineMode = false;
    await input.write(Buffer.from('d'.repeat(10_000)));
    expect(terminal.taken).toHaveLength(4000 + 1 + 4095 + 10_000);
  });

  it('reports the end, also to waiting writes', async () => {
    const terminal = new FakeTerminal(Array.from({ length: 1000 }, () => 0));
    const input = new TerminalInput(terminal.pty);
    const waiting = [input.write(Buffer.from('one')), input.write(Buffer.from('two'))].map((it) =>
      it.catch((error: unknown) => error),
    );
    input.close();
    expect(await Promise.all(waiting)).toMatchObject([{ code: 'ACTION_FAILED' }, { code: 'ACTION_FAILED' }]);
    const gone = new FakeTerminal([]);
    gone.isGone = true;
    await expect(new TerminalInput(gone.pty).write(Buffer.from('x'))).rejects.toMatchObject({
      code: 'ACTION_FAILED',
    });
  });

  it('copies the typed bytes', async () => {
    const terminal = new FakeTerminal([0, 1]);
    const bytes = Buffer.from('secret');
    const typing = new TerminalInput(terminal.pty).write(bytes);
    bytes.fill(0);
    await typing;
    expect(Buffer.from(terminal.taken).toString()).toBe('secret');
  });
});
