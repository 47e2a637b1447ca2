import type { Answer } from '../../../app/app.ts';

/** Runs a command: in the session of the client, or in one that only looks. @throws DeskterityError */
export type Ask = (command: string, input: Readonly<Record<string, unknown>>) => Promise<Answer>;

/** What a resource holds: data, a PNG picture, or both. */
export type Contents =
  | { readonly data: Readonly<Record<string, unknown>>; readonly picture?: Uint8Array | undefined }
  | { readonly picture: Uint8Array; readonly data?: undefined };
