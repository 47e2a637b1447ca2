import type {
  CreateMessageRequestParams,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  Root,
} from '../sdk.ts';

/** The fields of a form, in the protocol's subset of JSON Schema. */
export type FormSchema = ElicitRequestFormParams['requestedSchema'];

/** Values of a form that have been checked against its fields. */
export type FormContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Fields for the client to fill in (elicitation in form mode). Never for secrets: the client and its model see the answer. */
export interface FormQuestion {
  readonly kind: 'form';
  readonly message: string;
  /** Shown after the message, and not a part of what is answered: it may differ each time the same thing is asked. */
  readonly aside?: string | undefined;
  readonly schema: FormSchema;
  /** Time for the answer, if it is shorter than usual. Only in the legacy era: in the modern one the client has the question. */
  readonly timeoutMs?: number;
}

/** A page for a person to open (elicitation in URL mode). Accepting means only that the person agreed to open it. */
export interface UrlQuestion {
  readonly kind: 'url';
  readonly message: string;
  readonly url: string;
  /** Resolves when nothing more is to be done there, with whether it was done. Never rejects. */
  readonly over?: Promise<boolean> | undefined;
}

/** A request to the client's model. */
export interface SamplingQuestion {
  readonly kind: 'sampling';
  readonly params: CreateMessageRequestParams;
}

/** The folders that the client works in. */
export interface RootsQuestion {
  readonly kind: 'roots';
}

export type Question = FormQuestion | UrlQuestion | SamplingQuestion | RootsQuestion;
export type QuestionKind = Question['kind'];

export type FormAnswer =
  | { readonly action: 'accept'; readonly content: FormContent }
  | { readonly action: 'decline' | 'cancel' };

export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

export interface Answers {
  readonly form: FormAnswer;
  readonly url: UrlAnswer;
  readonly sampling: CreateMessageResultWithTools;
  readonly roots: readonly Root[];
}

/** The checked answer to one question. */
export type AnswerTo<Q extends Question> = Answers[Q['kind']];

/** Questions that are asked together, by names that are unique within the call. */
export type Questions = Readonly<Record<string, Question>>;

export type AnswersTo<Q extends Questions> = { readonly [Name in keyof Q]: AnswerTo<Q[Name]> };

/** What a call can ask its client. */
export interface ClientQuestions {
  /** Whether the client has declared that it answers questions of this kind. */
  canAnswer(kind: QuestionKind | 'sampling-with-tools'): boolean;
  /**
   * Asks all at once. In the modern era this ends the call: it rejects with {@link QuestionsAsked}, which must not be
   * caught, and the client's next call runs everything again, with the answers. So nothing may have acted before.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the client answers no such questions, INVALID_ARGUMENT for an answer
   * that does not fit, TIMEOUT, ACTION_FAILED if the client refuses, CANCELLED
   */
  ask<Q extends Questions>(questions: Q): Promise<AnswersTo<Q>>;
  /**
   * The answer that the client repeats this call with, if it was asked this; `undefined` in the legacy era. What led to the question, such as a picture that
   * would now be another one, need not be done again. @throws DeskterityError INVALID_ARGUMENT
   */
  earlier<K extends QuestionKind>(name: string, kind: K): Answers[K] | undefined;
}
