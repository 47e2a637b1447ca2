/** What came of asking the person at the caller's terminal; `absent`: there is no such person. */
export const CONSENT_ANSWERS = ['agreed', 'declined', 'unanswered', 'absent'] as const;

export type ConsentAnswer = (typeof CONSENT_ANSWERS)[number];

/** A person who does not answer within this time has not agreed. */
export const CONSENT_LIMIT_MS = 60_000;
