import type { DeskterityError } from '../../../../model/effects/errors.ts';
import { clip, reveal } from '../../../../model/text/untrusted-text.ts';
import type { FormContent, FormQuestion } from '../question.ts';

export type Input = Readonly<Record<string, unknown>>;

/** A situation that the client can resolve by filling in a form. */
export interface Case {
  /** Unique among the questions of one call. */
  readonly name: string;
  readonly question: FormQuestion;
  /** The input to run again with; `undefined` if the answer resolves nothing. */
  readonly change: (content: FormContent) => Input | undefined;
}

/** The case that a failure is, if it is one that the client can resolve. */
export type CaseOf = (error: DeskterityError, input: Input) => Case | undefined;

const LONGEST_TITLE = 120;

/** Text of an application as the title of a choice. */
export function choiceTitle(text: string): string {
  return clip(reveal(text), LONGEST_TITLE);
}
