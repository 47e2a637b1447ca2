import { isRecord } from '../../../../model/is-record.ts';
import { CallFailure } from '../../daemon/call-failure.ts';
import type { Connection } from '../../daemon/connection.ts';
import { tryToWrite } from '../../printing/output.ts';
import type { VerbContext } from '../verb.ts';

/**
 * Before anything is served: a name that no session can have is refused, and one that no session has is noted on standard error. It comes into
 * being with its first use, so that a misspelt one is a new one, on the user's own desktop.
 * @throws CallFailure INVALID_ARGUMENT
 */
export async function checkSession(
  { stderr, signal }: Pick<VerbContext, 'stderr' | 'signal'>,
  connection: Connection,
  name: string | undefined,
): Promise<void> {
  if (name === undefined || name === 'default') return;
  const { exitCode, stdout } = await connection.execute(
    'default',
    'session info',
    { name },
    { format: 'json', signal },
  );
  if (exitCode === 0) return;
  const { code, message, suggestion } = failureIn(stdout);
  if (code === 'SESSION_NOT_FOUND') await tryToWrite(stderr, `note: ${message} ${suggestion}\n`);
  else throw new CallFailure(code, message, { suggestion });
}

function failureIn(text: string): {
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
} {
  const answer: unknown = JSON.parse(text);
  const error = isRecord(answer) && isRecord(answer['error']) ? answer['error'] : {};
  const { code, message, suggestion } = error;
  return { code: String(code), message: String(message), suggestion: String(suggestion) };
}
