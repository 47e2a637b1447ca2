import { ERROR_EXIT_CODES, type ErrorCode } from '../../src/model/effects/errors.ts';
import { ERROR_GUIDE, EXIT_MEANINGS } from './error-guide.ts';
import { page, table } from './markdown.ts';

/** Reserved: nothing answers it so far. */
const NOT_YET: ReadonlySet<string> = new Set(['CONFIRMATION_REQUIRED']);

/** The reference of exit codes and error codes. */
export function errorsPage(): string {
  const codes = Object.keys(ERROR_GUIDE).filter(
    (code): code is ErrorCode => code in ERROR_EXIT_CODES && !NOT_YET.has(code),
  );
  return page('Errors and exit codes', [
    'A failed command prints `{"version":"1.0","ok":false,"command":…,"error":{…}}` on standard output with `--format json`, and',
    '`error CODE: message` on standard error with `outline` and `text`. `error` has a `code` from the closed list below, a `message`, a',
    '`suggestion` (what to do next), `retryable` (whether the same call may succeed when repeated), and, where they are known, `candidates`,',
    '`platform_detail` and `delivered` (whether input may have reached the application).',
    '',
    '## Exit codes',
    '',
    ...table(
      ['exit', 'meaning'],
      EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    ),
    '',
    '## Error codes',
    '',
    ...table(
      ['code', 'exit', 'when', 'what helps'],
      codes.map((code) => [`\`${code}\``, String(ERROR_EXIT_CODES[code]), ...ERROR_GUIDE[code]]),
    ),
  ]);
}
