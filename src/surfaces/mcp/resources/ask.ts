import type { Answer } from '../../../app/app.ts';

/** Runs a command: in the session of the client, or in one that only looks. @throws DeskterityError */
export type Ask = (command: string, input: Readonly<Record<string, unknown>>) => Promise<Answer>;
