import type { DeskterityError } from '../../../../model/effects/errors.ts';
import type { Case } from './case.ts';

/** Another server wants somebody to sign in: the client shows the page of its authorization server, and calls again. */
export const SIGN_IN: Case<DeskterityError> = {
  name: 'sign_in',
  question: ({ message, page }) => page && { kind: 'url', message, url: page.address, over: page.over },
};
