import type { ClientVerb } from './verb.ts';

/** The bodies of the commands with `runsIn: 'client'`, by name; each is loaded when it is asked for. */
export const CLIENT_VERBS: Readonly<Record<string, () => Promise<{ readonly verb: ClientVerb }>>> = {};
