import type { Connection, Rendered } from '../../daemon/connection.ts';
import { envelopeOf, failureOf } from '../../printing/failure.ts';
import type { Manifest } from '../../arguments/manifest.ts';
import { exitCodeOfLost, tryToWrite } from '../../printing/output.ts';
import { parseLine } from '../../arguments/parse.ts';
import { completeInput } from '../../arguments/complete-input.ts';
import type { GivenInput } from '../../arguments/secret-flags.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { linesOf, type Line } from './batch-lines.ts';
import { idOf, parseObject, requireJsonLines, toRequest, type LineId } from './batch-request.ts';
import type { ClientVerb, VerbContext } from '../verb.ts';

/** Longest line, in bytes. */
export const LONGEST_LINE_BYTES = 1024 * 1024;

/** The exit code of a batch that was cancelled without a failure. */
const GENERAL_EXIT_CODE = 1;

/** Runs lines over one connection; each answer is written before the next line is read. */
export const verb: ClientVerb = {
  run: async (context) => {
    const { globals, signal, stdin } = context;
    requireJsonLines('batch', globals);
    const stopReading = () => stdin.destroy();
    signal.addEventListener('abort', stopReading, { once: true });
    const connection = new LastingConnection(context);
    try {
      return await answerAll(context, connection);
    } finally {
      signal.removeEventListener('abort', stopReading);
      await connection.close();
    }
  },
};

async function answerAll(context: VerbContext, connection: LastingConnection): Promise<number> {
  const { input, signal, stderr } = context;
  let firstFailure = 0;
  try {
    for await (const line of linesOf(context.stdin, LONGEST_LINE_BYTES)) {
      const { exitCode, stdout, stderr: notes } = await answer(line, context, connection);
      if (firstFailure === 0) firstFailure = exitCode;
      await tryToWrite(stderr, notes);
      const written = await tryToWrite(context.stdout, stdout);
      // The client has stopped reading answers, so run nothing more.
      if (written === 'gone') return firstFailure;
      if (written === 'lost') {
        await tryToWrite(stderr, 'desk: cannot write an answer to standard output.\n');
        return exitCodeOfLost(firstFailure);
      }
      if (signal.aborted || (exitCode !== 0 && input['stop_on_error'] === true)) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return signal.aborted && firstFailure === 0 ? GENERAL_EXIT_CODE : firstFailure;
}

async function answer(line: Line, context: VerbContext, connection: LastingConnection): Promise<Rendered> {
  const { manifest } = context;
  let id: LineId | undefined;
  let name = '';
  try {
    if (line.kind === 'unreadable') throw new UsageError('', line.message, line.suggestion);
    const object = parseObject(line.text);
    id = idOf(object);
    const request = toRequest(object, manifest);
    name = request.command.name;
    const sources = {
      stdin: undefined,
      stderr: context.stderr,
      environment: context.environment,
      signal: context.signal,
    };
    const { input, secrets } = await completeInput(request.command, request.input, sources, {
      parse: (words) => parseLine(words, manifest),
      commands: manifest.commands,
    });
    const session = request.session ?? context.session;
    const given = await connection.execute(session, name, input, secrets);
    return { ...given, stdout: withId(given.stdout, id) };
  } catch (error) {
    return refusal(error, manifest, name, id);
  }
}

/** Renders a failure of the batch itself like an answer. */
function refusal(error: unknown, manifest: Manifest, command: string, id: LineId | undefined): Rendered {
  const failure = failureOf(error, manifest, command);
  if (failure === undefined) throw error;
  return {
    exitCode: manifest.errorExitCodes[failure.code] ?? manifest.internalExitCode,
    stdout: withId(`${JSON.stringify(envelopeOf(manifest, failure))}\n`, id),
    stderr: '',
  };
}

/** Inserts the id at the front, as text, so that escaped characters stay escaped. */
function withId(envelope: string, id: LineId | undefined): string {
  return id === undefined ? envelope : `{"id":${JSON.stringify(id)},${envelope.slice(1)}`;
}

/** One connection for all lines, opened for the first and reopened after a failure. */
class LastingConnection {
  private readonly context: VerbContext;
  private connection: Connection | undefined;

  constructor(context: VerbContext) {
    this.context = context;
  }

  async execute(
    session: string,
    command: string,
    input: GivenInput,
    secrets: readonly string[],
  ): Promise<Rendered> {
    const { signal, stderr, globals } = this.context;
    const { logLevel } = globals;
    this.connection ??= await this.context.connect();
    try {
      return await this.connection.execute(session, command, input, {
        format: 'json',
        pretty: false,
        secrets,
        signal,
        ...(logLevel && { logLevel, onLog: (line) => void tryToWrite(stderr, `${line}\n`) }),
      });
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.close().catch(() => undefined);
  }
}
