import { inputRequired, type InputRequest, type InputRequiredResult } from '../sdk.ts';
import { pageAddress } from './page-address.ts';
import type { FormQuestion, Question, Questions } from './question.ts';

/** When what a page is for is done, by the request to show it: it is no part of what is sent. */
const pagesOver = new WeakMap<InputRequest, Promise<boolean>>();

/** See {@link UrlQuestion.over}; `undefined` for other requests. */
export function pageOver(request: InputRequest): Promise<boolean> | undefined {
  return pagesOver.get(request);
}

/** Ends a call of the modern era with questions. Only `answering` catches it. */
export class QuestionsAsked extends Error {
  override readonly name = 'QuestionsAsked';
  readonly result: InputRequiredResult;

  constructor(questions: Questions, requestState: string) {
    super('The call ended with questions to the client.');
    const requests = Object.entries(questions).map(
      ([name, question]) => [name, requestFor(question)] as const,
    );
    this.result = { resultType: 'input_required', inputRequests: Object.fromEntries(requests), requestState };
  }
}

/** What a person reads. */
export function shownMessage({ message, aside }: Pick<FormQuestion, 'message' | 'aside'>): string {
  return aside === undefined ? message : `${message} ${aside}`;
}

/** A question as the protocol's request. @throws DeskterityError INVALID_ARGUMENT for a page that nobody should open */
export function requestFor(question: Question): InputRequest {
  switch (question.kind) {
    case 'form': {
      const { schema } = question;
      return {
        method: 'elicitation/create',
        params: { mode: 'form', message: shownMessage(question), requestedSchema: schema },
      };
    }
    case 'url': {
      const { message, url, over } = question;
      const request = inputRequired.elicitUrl({ message, url: pageAddress(url) });
      if (over !== undefined) pagesOver.set(request, over);
      return request;
    }
    case 'sampling':
      return { method: 'sampling/createMessage', params: question.params };
    case 'roots':
      break;
  }
  return { method: 'roots/list' };
}
