import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConsentQuestions, type AskConsent } from '../../src/app/consent/consent-questions.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { TIMERS } from '../../src/model/within.ts';
import type { ConsentAnswer } from '../../src/model/effects/consent-answer.ts';

const clock = {
  now: () => 0,
  sleep: async (...given: Parameters<typeof TIMERS.sleep>) => TIMERS.sleep(...given),
};
const refusal = (details: { readonly delivered?: boolean; readonly result?: Record<string, unknown> } = {}) =>
  new DeskterityError('CONFIRMATION_REQUIRED', 'This would click\u001B Delete.', {
    suggestion: '',
    consent: 'c0',
    delivered: false,
    ...details,
  });

/** A call that needs consent, and what it was called with. */
async function run(
  askPerson: ((question: string) => Promise<ConsentAnswer>) | undefined,
  { error = refusal(), signal = new AbortController().signal } = {},
): Promise<{
  readonly given: unknown[];
  readonly message: string | undefined;
  readonly code: string | undefined;
}> {
  const given: unknown[] = [];
  const call = async (consent?: string) => {
    given.push(consent);
    if (consent !== 'c0') throw error;
  };
  const failure = await new ConsentQuestions(clock)
    .run(call, askPerson === undefined ? [] : [askPerson], signal)
    .then(() => undefined)
    .catch((thrown: unknown) => (thrown instanceof DeskterityError ? thrown : undefined));
  return { given, message: failure?.message, code: failure?.code };
}

describe('consent at the terminal', () => {
  it('runs the call again with the consent that the person gave', async () => {
    const shown: string[] = [];
    const asked = await run(async (question) => {
      shown.push(question);
      return 'agreed';
    });
    expect(asked).toEqual({ given: [undefined, 'c0'], message: undefined, code: undefined });
    expect(shown).toEqual([expect.not.stringContaining('\u001B')]);
  });

  it('shows what is told to the person alone', async () => {
    const shown: string[] = [];
    const error = refusal().with({ aside: 'Its input: {"id":5}' });
    const { message } = await run(
      async (question) => {
        shown.push(question);
        return 'declined';
      },
      { error },
    );
    expect(shown).toEqual([expect.stringContaining('Delete. Its input: {"id":5}')]);
    expect(message).not.toContain('input');
  });

  it.each([
    ['declined', 'did not agree'],
    ['unanswered', 'did not answer'],
    ['absent', 'This would click'],
  ] as const)('keeps the refusal if the answer is %s', async (answer, why) => {
    const { given, message, code } = await run(async () => answer);
    expect({ given, code }).toEqual({ given: [undefined], code: 'CONFIRMATION_REQUIRED' });
    expect(message).toContain(why);
  });

  it('asks nobody where steps have acted, something was sent, or nobody can be asked', async () => {
    let asked = 0;
    const ask = async (): Promise<ConsentAnswer> => {
      asked += 1;
      return 'agreed';
    };
    for (const changes of [
      { error: refusal({ delivered: true }) },
      { error: refusal({ result: { steps: [] } }) },
      { error: new DeskterityError('STALE_REF', 'Gone.', { suggestion: '' }) },
    ])
      expect(await run(ask, changes)).toMatchObject({ given: [undefined] });
    expect(await run(undefined)).toMatchObject({ given: [undefined], code: 'CONFIRMATION_REQUIRED' });
    expect(asked).toBe(0);
  });

  it('is open while the person is asked, and ends with the call', async () => {
    const questions = new ConsentQuestions(clock);
    const controller = new AbortController();
    let wasClosed: ConsentAnswer = 'absent';
    const call = async () => Promise.reject(refusal());
    const asking = questions.run(
      call,
      [
        async (_, until) =>
          new Promise((resolve) =>
            until.addEventListener('abort', () => resolve((wasClosed = 'unanswered'))),
          ),
      ],
      controller.signal,
    );
    const ended = asking.catch((error: unknown) => error);
    await turn();
    expect(questions.isOpen).toBe(true);
    controller.abort();
    expect(await ended).toMatchObject({ code: 'CANCELLED', delivered: false });
    expect(questions.isOpen).toBe(false);
    expect(wasClosed).toBe('unanswered');
  });

  it('asks at the desktop only if nobody is at the terminal', async () => {
    const asked: string[] = [];
    const answering =
      (place: string, answer: ConsentAnswer): AskConsent =>
      async () => {
        asked.push(place);
        return answer;
      };
    const failing = async (consent?: string) => {
      if (consent === undefined) throw refusal();
      return consent;
    };
    const questions = new ConsentQuestions(clock);
    const desktop = answering('desktop', 'agreed');
    expect(await questions.run(failing, [answering('terminal', 'absent'), desktop])).toBe('c0');
    await expect(questions.run(failing, [answering('terminal', 'declined'), desktop])).rejects.toThrow(
      'did not agree',
    );
    expect(asked).toEqual(['terminal', 'desktop', 'terminal']);
  });
});
