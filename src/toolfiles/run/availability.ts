import { DeskterityError } from '../../model/effects/errors.ts';
import { SEQUENCE_COMMAND } from '../../model/tools/tool-file.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import type { ProgramsPort } from '../../ports/programs.ts';
import type { RunnableTool } from './runnable-tool.ts';
import type { RunSandbox } from '../../ports/runs.ts';
import { programPath, sandboxPlaces, type HomePlaces, type ProgramPlaces } from './sandbox-places.ts';

/** Long enough for a program that starts slowly. */
const CHECK_TIMEOUT_MS = 10_000;

/** A check before a tool is offered. */
export type AvailabilityCheck = (
  | { readonly kind: 'find'; readonly program: string }
  | { readonly kind: 'run'; readonly command: readonly [string, ...string[]] }
) & {
  /** Shown if the check fails. */
  readonly instructions: string | undefined;
};

/** The checks of a tool: for its program, and those declared in its file at any level. */
export function availabilityChecks(tool: RunnableTool, places: ProgramPlaces): AvailabilityCheck[] {
  const declared = tool.checks.map(({ command, instructions }): AvailabilityCheck => {
    const [first = '', ...others] = command.split(/\s+/).filter((word) => word !== '');
    const program = lookedUpProgram([first, ...others]);
    const shown = instructions ?? tool.instructions;
    return program === undefined
      ? { kind: 'run', command: [first, ...others], instructions: shown }
      : { kind: 'find', program, instructions: shown };
  });
  if (tool.program === SEQUENCE_COMMAND) return declared;
  const program = programPath(tool.program, places);
  return [{ kind: 'find', program, instructions: tool.instructions }, ...declared];
}

/** Why a tool cannot be used here. */
export interface Unavailability {
  /** A phrase such as `cargo-nextest is not found`. */
  readonly reason: string;
  readonly instructions: string | undefined;
}

/** Creates a function that runs checks, each distinct one once; `isQuick` skips those that start a program. */
export function createAvailability(
  programs: ProgramsPort,
  places: HomePlaces,
): (tool: RunnableTool, isQuick?: boolean) => Promise<Unavailability | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  return async (tool, isQuick = false) => {
    for (const check of availabilityChecks(tool, places)) {
      if (isQuick && check.kind === 'run') continue;
      const sandbox = sandboxPlaces(tool.sandbox, places);
      const key = check.kind === 'find' ? `find ${check.program}` : JSON.stringify([check.command, sandbox]);
      const pending = known.get(key) ?? failureOf(check, sandbox, programs);
      known.set(key, pending);
      const reason = await pending;
      if (reason !== undefined) return { reason, instructions: check.instructions };
    }
    return undefined;
  };
}

async function failureOf(
  check: AvailabilityCheck,
  sandbox: RunSandbox,
  programs: ProgramsPort,
): Promise<string | undefined> {
  if (check.kind === 'find')
    return (await programs.find(check.program)) === undefined
      ? `${quote(check.program)} was not found`
      : undefined;
  const line = quote(check.command.join(' '));
  const result = await programs
    .run(check.command, { timeoutMs: CHECK_TIMEOUT_MS, sandbox })
    .catch((error: unknown) => {
      if (error instanceof DeskterityError) return error;
      throw error;
    });
  if (result instanceof DeskterityError)
    return `${line} could not be run: ${result.message.replace(/\.$/, '')}`;
  const { exitCode } = result;
  if (exitCode === 0) return undefined;
  return exitCode === undefined ? `${line} did not exit in time` : `${line} exited with code ${exitCode}`;
}

/** The program that `which` or `command -v` would look up. We do that ourselves, as not every machine has them. */
function lookedUpProgram(command: readonly string[]): string | undefined {
  const [first, second, third, ...more] = command;
  if (more.length > 0) return undefined;
  if (first === 'which' && third === undefined && second?.startsWith('-') === false) return second;
  return first === 'command' && second === '-v' ? third : undefined;
}
