import type { RequestStates } from './questions/request-states.ts';

/** The era of the protocol. In the modern one a client's questions need the states of its connection. */
export type Era = 'legacy' | { readonly states: RequestStates };
