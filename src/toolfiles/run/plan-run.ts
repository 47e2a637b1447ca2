import { DeskterityError } from '../../model/effects/errors.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { FilesPort } from '../../ports/files.ts';
import type { RunRequest, RunStep } from '../../ports/runs.ts';
import { isInside } from '../../model/is-inside.ts';
import { workingFolder } from '../../registry/define.ts';
import { commandArguments } from './command-line.ts';
import { checkPaths } from './path-arguments.ts';
import type { RunnableTool } from './runnable-tool.ts';
import { programPath, sandboxPlaces, type HomePlaces } from './sandbox-places.ts';
import { sequenceCommands, type FindTool, type SequenceCommand } from './sequences.ts';
import { splitInput } from './tool-input.ts';

export interface RunPlaces extends HomePlaces {
  /** The caller's folder; if it is outside the scope, the scope is used. */
  readonly cwd: string;
}

/**
 * The commands to run for a call of a tool.
 * @param input as accepted by the tool's schema
 * @throws DeskterityError INVALID_ARGUMENT for an unusable folder or argument; errors of `find`
 */
export async function planRun(
  tool: RunnableTool,
  input: Readonly<Record<string, unknown>>,
  parts: { readonly places: RunPlaces; readonly find: FindTool; readonly files: Pick<FilesPort, 'find'> },
): Promise<RunRequest> {
  const { places, files } = parts;
  const { meta, given } = splitInput(tool, input);
  const own = sandboxPlaces(tool.sandbox, places);
  const scope = (await files.find(own.scope))?.path ?? own.scope;
  const cwd = await workingFolder({ files, cwd: places.cwd }, scope, meta.working_directory);
  const steps: RunStep[] = [];
  for (const command of sequenceCommands(tool, given, parts.find))
    steps.push(
      await planStep(command, { cwd, places, files, isGiven: meta.working_directory !== undefined }),
    );
  return {
    tool: tool.name,
    steps,
    timeoutMs: (meta.timeout_seconds ?? tool.timeoutSeconds) * 1000,
  };
}

interface StepPlaces {
  readonly cwd: string;
  readonly places: RunPlaces;
  readonly files: Pick<FilesPort, 'find'>;
  readonly isGiven: boolean;
}

async function planStep(
  { tool, given, delayMs }: SequenceCommand,
  { cwd, places, files, isGiven }: StepPlaces,
): Promise<RunStep> {
  const sandbox = sandboxPlaces(tool.sandbox, places);
  const scope = (await files.find(sandbox.scope))?.path ?? sandbox.scope;
  const isIn = isInside(scope, cwd);
  // A step with a narrower scope starts there, unless the caller requested another folder.
  if (!isIn && isGiven)
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `working_directory is ${quote(clip(cwd, 200))}, but ${tool.name} is confined to ${quote(scope)}.`,
      { suggestion: 'Omit it, or pass a folder inside the scope.' },
    );
  const workingDirectory = isIn ? cwd : scope;
  checkPaths(tool, given, { workingDirectory, reachable: [scope, ...sandbox.read, ...sandbox.write] });
  return {
    command: [programPath(tool.program, places), ...commandArguments(tool, given)],
    cwd: workingDirectory,
    delayMs,
    sandbox: { ...sandbox, scope },
  };
}
