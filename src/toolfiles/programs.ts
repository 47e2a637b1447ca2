import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { DeskterityError } from '../model/effects/errors.ts';
import { CHECK } from '../model/tools/operation.ts';
import type { CheckedCommand, ProgramsPort } from '../ports/programs.ts';
import { plainSandbox, type RunSandbox, type RunsPort } from '../ports/runs.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { Environment } from '../model/sessions/caller.ts';

/** Enough output of a check. */
const MOST_TOKENS = 50_000;
/** For starting and ending an operation. */
const OVERHEAD_MS = 5000;

/** The programs available to a caller. They run with read-only access to the scope, as even `--help` may do anything. */
export function callerPrograms({
  environment,
  runs,
  operations,
}: {
  readonly environment: () => Promise<Environment>;
  readonly runs: RunsPort;
  readonly operations: () => Promise<OperationsPort>;
}): ProgramsPort {
  const find: ProgramsPort['find'] = async (program) => {
    const folders = ((await environment())['PATH'] ?? '')
      .split(delimiter)
      .filter((folder) => isAbsolute(folder));
    const places = program.includes('/') ? [program] : folders.map((folder) => join(folder, program));
    for (const place of places) {
      if (await isProgram(place)) return place;
    }
    return undefined;
  };
  const ask = async (
    command: readonly [string, ...string[]],
    sandbox: RunSandbox,
    timeoutMs: number,
  ): Promise<CheckedCommand> => {
    const port = await operations();
    const started = await runs.start({
      tool: CHECK,
      steps: [{ command, cwd: sandbox.scope, delayMs: 0, sandbox: { ...sandbox, isReadOnly: true } }],
      timeoutMs,
      output: 'separate',
    });
    const id = started.operation_id;
    const { signal } = new AbortController();
    const { exit_code: exitCode } = await port.wait(id, { timeoutMs: timeoutMs + OVERHEAD_MS, signal });
    const read = async (stream: 'stdout' | 'stderr') => {
      const part = await port.read(id, { stream, cursor: 0, maxTokens: MOST_TOKENS }).catch(() => undefined);
      return part?.text ?? '';
    };
    return { exitCode, stdout: await read('stdout'), stderr: await read('stderr') };
  };
  return {
    find,
    run: async (command, limits) => {
      const { timeoutMs, sandbox = plainSandbox(runs.scope) } = limits;
      const key = JSON.stringify([runs.scope, (await environment())['PATH'], command, sandbox]);
      const known = answers.get(key);
      if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.answer;
      const answer = ask(command, sandbox, timeoutMs).catch((error: unknown): CheckedCommand => {
        // Not a result for this program, but a missing sandbox.
        if (!(error instanceof DeskterityError) || error.code === 'SANDBOX_UNAVAILABLE') throw error;
        return { exitCode: undefined, stdout: '', stderr: error.message };
      });
      remember(key, answer);
      // Do not cache failures, which the user may fix at any moment.
      const forget = () => answers.get(key)?.answer === answer && answers.delete(key);
      answer.then(({ exitCode }) => exitCode === 0 || forget(), forget);
      return answer;
    },
  };
}

/** Excludes folders, whose search permission is the same bit. */
async function isProgram(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch {
    return false;
  }
}

/** Cached results of programs; even `npm --version` takes half a second. */
const answers = new Map<string, { readonly at: number; readonly answer: Promise<CheckedCommand> }>();
const FRESH_MS = 60_000;
const MOST_ANSWERS = 500;

function remember(key: string, answer: Promise<CheckedCommand>): void {
  answers.delete(key);
  answers.set(key, { at: performance.now(), answer });
  const [oldest] = answers.keys();
  if (answers.size > MOST_ANSWERS && oldest !== undefined) answers.delete(oldest);
}
