import { clip, reveal } from '../../../../model/text/untrusted-text.ts';
import type { FormContent, FormQuestion, UrlQuestion } from '../question.ts';

export type Input = Readonly<Record<string, unknown>>;

/** A situation that the client can resolve by filling in a form, or by having a person open a page. */
export interface Case<Found> {
  /** Unique among the questions of one call. */
  readonly name: string;
  /** What to ask, if it is this situation. */
  readonly question: (found: Found, input: Input) => FormQuestion | UrlQuestion | undefined;
  /** The answer is not taken before the same question has come up again. */
  readonly isForOneAct?: true;
  /** The input to run again with; `undefined` if the answer resolves nothing. Absent if the same call may succeed after the question. */
  readonly change?: (content: FormContent, input: Input) => Input | undefined;
}

const LONGEST_TITLE = 120;

/** Text of an application as the title of a choice. */
export function choiceTitle(text: string): string {
  return clip(reveal(text), LONGEST_TITLE);
}
