import type { DeskterityError, ErrorCode } from '../../../../model/effects/errors.ts';
import { clip, quote } from '../../../../model/text/untrusted-text.ts';

/** A failure in this dialect. */
export interface InspectFailure extends Record<string, unknown> {
  readonly operation: string;
  readonly error_type: string;
  readonly message: string;
  readonly app?: string | number;
  readonly guidance?: string;
}

/** Error types of this dialect; the default is the code in lower case. */
const TYPES: Readonly<Partial<Record<ErrorCode, string>>> = {
  ACTION_NOT_SUPPORTED: 'not_accessible',
  AMBIGUOUS_APP: 'ambiguous_application',
  APP_NOT_FOUND: 'application_not_found',
  APP_UNRESPONSIVE: 'application_unresponsive',
  INVALID_ARGUMENT: 'invalid_parameters',
  PERM_DENIED: 'permission_denied',
  TREE_TIMEOUT: 'timeout',
};

const LONGEST_APP = 256;

export function failureOf(
  operation: string,
  app: unknown,
  timeoutMs: number,
  error: DeskterityError,
): InspectFailure {
  const error_type = TYPES[error.code] ?? error.code.toLowerCase();
  const named = givenApp(app);
  return {
    operation,
    error_type,
    ...textsFor(operation, named, timeoutMs, error, error_type),
    ...(named === undefined ? {} : { app: named }),
  };
}

/** The given application, if it has a valid type. */
function givenApp(app: unknown): string | number | undefined {
  if (typeof app === 'string') return clip(app, LONGEST_APP);
  return typeof app === 'number' && Number.isSafeInteger(app) ? app : undefined;
}

function textsFor(
  operation: string,
  app: string | number | undefined,
  timeoutMs: number,
  error: DeskterityError,
  type: string,
): { readonly message: string; readonly guidance: string } {
  const known = error.candidates
    .map(({ name, pid }) => `${quote(clip(name ?? '', 80))} (process ${pid})`)
    .join(', ');
  const requested = typeof app === 'number' ? `process ${app}` : quote(clip(app ?? '', 80));
  switch (type) {
    case 'application_not_found':
      return {
        message: `Application ${requested} is not running.`,
        guidance: `Start it first, or call list_windows without app to see what is running.${known === '' ? '' : ` Running: ${known}.`}`,
      };
    case 'ambiguous_application':
      return {
        message: `More than one application matches ${requested}: ${known}.`,
        guidance: 'Call again with the process id of the right one as app.',
      };
    case 'timeout':
      return {
        message: `${operation} did not end within ${timeoutMs} ms.`,
        guidance:
          'The application may be busy: call again in a moment. If that fails too, name the application with app, or try another one.',
      };
    default:
      return { message: error.message, guidance: error.suggestion };
  }
}
