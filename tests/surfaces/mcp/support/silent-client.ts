import type { ClientQuestions } from '../../../../src/surfaces/mcp/questions/question.ts';

/** A client that answers no questions. */
export const SILENT_CLIENT: ClientQuestions = {
  canAnswer: () => false,
  earlier: () => undefined,
  ask: () => Promise.reject(new Error('the client was asked')),
};
