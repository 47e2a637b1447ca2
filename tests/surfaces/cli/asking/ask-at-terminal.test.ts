import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askAtTerminal } from '../../../../src/surfaces/cli/asking/ask-at-terminal.ts';

interface Asked {
  readonly answer: string;
  readonly shown: string;
  readonly isClosed: boolean;
}

async function ask(
  reply: (code: string) => string | undefined,
  { question = 'Delete?', limitMs = 5000, early = '' } = {},
): Promise<Asked> {
  const input = new PassThrough();
  let [shown, isClosed] = ['', false];
  if (early !== '') input.write(early);
  const terminal = {
    input,
    output: {
      write: (text: string | Uint8Array, done: () => void) => {
        shown += text.toString();
        const said = reply(/type (\d+)/.exec(shown)?.[1] ?? '');
        if (said !== undefined) input.write(said);
        done();
        return true;
      },
    },
    close: () => {
      isClosed = true;
    },
  };
  const answer = await askAtTerminal(question, new AbortController().signal, () => terminal, limitMs);
  return { answer, shown, isClosed };
}

describe('asking at the terminal', () => {
  it('takes only the number that it has just shown', async () => {
    expect(await ask((code) => `${code}\n`)).toMatchObject({ answer: 'agreed', isClosed: true });
    expect(await ask((code) => ` ${code} \r`)).toMatchObject({ answer: 'agreed' });
    for (const other of ['y\n', 'yes\n', '\n', '9'.repeat(500)])
      expect(await ask(() => other)).toMatchObject({ answer: 'declined', isClosed: true });
  });

  it('is refused by what was typed before the question', async () => {
    expect(await ask((code) => `${code}\n`, { early: 'y\n' })).toMatchObject({ answer: 'declined' });
  });

  it('counts no answer in time as none, and no terminal as nobody', async () => {
    expect(await ask(() => undefined, { limitMs: 20 })).toMatchObject({
      answer: 'unanswered',
      isClosed: true,
    });
    expect(await askAtTerminal('Delete?', new AbortController().signal, () => undefined)).toBe('absent');
  });

  it('shows no control characters of an application', async () => {
    const { shown } = await ask(() => '\n', { question: 'a\u001B[2Jb\u202Ec\rd' });
    expect(shown).toContain('a [2Jb c d');
  });
});
