import { isAbsolute, resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { inputKey } from '../../model/tools/tool-file-parameters.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { isInside } from '../../model/is-inside.ts';
import type { RunnableTool } from './runnable-tool.ts';
import type { ToolArguments } from './tool-input.ts';
import { toolParameters } from './tool-input.ts';

/** Folders of a run; all absolute. */
export interface PathPlaces {
  /** Where the command is started: what its relative paths are from. */
  readonly workingDirectory: string;
  /** The scope of the tool, and what else it may read or write. */
  readonly reachable: readonly string[];
}

/**
 * Refuses paths that lead out of the scope by "..", and what only a shell would understand. This is for a clear message early: what a path
 * really leads to is known to the kernel alone, which is what keeps a command inside.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function checkPaths(tool: RunnableTool, given: ToolArguments, places: PathPlaces): void {
  for (const { name, format } of toolParameters(tool)) {
    if (format !== 'path') continue;
    const key = inputKey(name);
    const value = given[key];
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text !== 'string') continue;
      const problem = problemOf(text, places);
      if (problem !== undefined)
        throw new DeskterityError(
          'INVALID_ARGUMENT',
          `${tool.name}: ${key} is ${quote(clip(text, 120))}, ${problem.phrase}.`,
          { suggestion: problem.suggestion },
        );
    }
  }
}

function problemOf(
  text: string,
  { workingDirectory, reachable }: PathPlaces,
): { readonly phrase: string; readonly suggestion: string } | undefined {
  if (text === '')
    return { phrase: 'which is no path', suggestion: 'Leave it out, or write "." for the working folder.' };
  if (text.includes('\0'))
    return { phrase: 'which holds the character NUL', suggestion: 'No path can have it: remove it.' };
  if (/^~(?:\/|$)/.test(text))
    return {
      phrase: 'but there is no shell that would put a folder for "~"',
      suggestion: 'Write a path from the working folder, or an absolute one.',
    };
  if (isAbsolute(text)) return undefined;
  const target = resolve(workingDirectory, text);
  if (reachable.some((folder) => isInside(folder, target))) return undefined;
  return {
    phrase: `which leads to ${quote(clip(target, 200))}, outside the scope`,
    suggestion: `Name something in ${quote(clip(reachable[0] ?? workingDirectory, 200))}.`,
  };
}
