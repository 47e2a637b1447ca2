import { DeskterityError } from '../../model/effects/errors.ts';
import { within } from '../../model/within.ts';
import type { ClockPort } from '../../ports/clock.ts';
import { CONSENT_LIMIT_MS, type ConsentAnswer } from '../../model/effects/consent-answer.ts';
import { showControls } from '../show-controls.ts';

/** For an answer given in the last moment to arrive. */
const ARRIVAL_MS = 2000;

/** In one call. */
const MOST_QUESTIONS = 3;

const NOT_AGREED = {
  declined: 'The user was asked, and did not agree.',
  unanswered: 'The user was asked, and did not answer within a minute.',
} as const;

/** Asks a person for consent; `absent` if it reaches nobody. The signal ends the question. `picture`: of the element, as PNG. */
export type AskConsent = (
  question: string,
  signal: AbortSignal,
  picture: Uint8Array | undefined,
) => Promise<ConsentAnswer>;

/** Asks the person at the caller's terminal or desktop, and knows whether somebody is being asked. */
export class ConsentQuestions {
  private readonly clock: ClockPort;
  private open = 0;

  constructor(clock: ClockPort) {
    this.clock = clock;
  }

  /** Input of ours could answer the question while this holds. */
  get isOpen(): boolean {
    return this.open > 0;
  }

  /**
   * Runs a call, and once more with consent if it was refused without and the person agrees: the first of those to ask who is there. A call may need
   * consent to its command, its application and its element.
   * @throws DeskterityError
   */
  async run<T>(
    call: (consent?: string) => Promise<T>,
    askInTurn: readonly AskConsent[],
    signal?: AbortSignal,
  ): Promise<T> {
    let given: string | undefined;
    for (let left = MOST_QUESTIONS; ; left -= 1) {
      try {
        return await call(given);
      } catch (error) {
        if (!(error instanceof DeskterityError)) throw error;
        const { code, consent, delivered, result, message, aside } = error;
        if (code !== 'CONFIRMATION_REQUIRED' || consent === undefined || left === 0) throw error;
        if (delivered === true || result !== undefined) throw error;
        const picture = askInTurn.length === 0 ? undefined : await error.picture?.take();
        const question = aside === undefined ? message : `${message} ${aside}`;
        const answer = await this.ask(showControls(question), picture, askInTurn, signal);
        if (answer !== 'agreed')
          throw answer === 'absent' ? error : error.with({ message: `${message} ${NOT_AGREED[answer]}` });
        given = consent;
      }
    }
  }

  /** @throws DeskterityError CANCELLED */
  private async ask(
    question: string,
    picture: Uint8Array | undefined,
    askInTurn: readonly AskConsent[],
    signal?: AbortSignal,
  ): Promise<ConsentAnswer> {
    const isOver = new AbortController();
    this.open += 1;
    try {
      for (const ask of askInTurn) {
        const asking = untilAborted(ask(question, isOver.signal, picture), signal);
        const answered = await within(this.clock, asking, CONSENT_LIMIT_MS + ARRIVAL_MS);
        const answer = answered?.value ?? 'unanswered';
        if (answer !== 'absent') return answer;
      }
      return 'absent';
    } finally {
      this.open -= 1;
      // Closes the window of a question that nobody waits for any more.
      isOver.abort();
    }
  }
}

async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () =>
      reject(
        new DeskterityError('CANCELLED', 'The call was cancelled before the user had agreed.', {
          suggestion: 'Nothing was done; call again if it is still wanted.',
          delivered: false,
        }),
      );
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
