import type { Answer } from '../../../app/app.ts';

/** Runs a command, in the client's session or in the observing one. @throws DeskterityError */
export type RunCommand = (command: string, input: Readonly<Record<string, unknown>>) => Promise<Answer>;

/** The contents of a resource: data, a PNG picture, or both. */
export type Contents =
  | { readonly data: Readonly<Record<string, unknown>>; readonly picture?: Uint8Array | undefined }
  | { readonly picture: Uint8Array; readonly data?: undefined };
