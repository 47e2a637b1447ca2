import type { ErrorBody } from './errors.ts';

/** Version of the JSON envelope. */
export const ENVELOPE_VERSION = '1.0';

export type SuccessEnvelope = { version: typeof ENVELOPE_VERSION; ok: true; command: string } & Record<
  string,
  unknown
>;
export type FailureEnvelope = {
  version: typeof ENVELOPE_VERSION;
  ok: false;
  command: string;
  error: ErrorBody;
} & Record<string, unknown>;

export function success(command: string, result: Record<string, unknown>): SuccessEnvelope {
  return { version: ENVELOPE_VERSION, ok: true, command, ...result };
}

/** `result` has what is known despite the failure, such as the receipt of an act that changed nothing. */
export function failure(
  command: string,
  error: ErrorBody,
  result: Record<string, unknown> = {},
): FailureEnvelope {
  return { version: ENVELOPE_VERSION, ok: false, command, ...result, error };
}
