import { isAbsolute, resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { inputKey } from '../../model/tools/tool-file-parameters.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { isInside } from '../../model/is-inside.ts';
import type { RunnableTool } from './runnable-tool.ts';
import { toolParameters, type ToolArguments } from './tool-input.ts';

/** Folders of a run; all absolute. */
export interface PathPlaces {
  /** The working directory, which relative paths start from. */
  readonly workingDirectory: string;
  /** The scope of the tool, and further paths it may read or write. */
  readonly reachable: readonly string[];
}

/**
 * Refuses paths that leave the scope with "..", and shell syntax. This is only for an early, clear message: the kernel enforces the sandbox,
 * as only it knows where a path really leads.
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
    return { phrase: 'which is not a path', suggestion: 'Omit it, or pass "." for the working directory.' };
  if (text.includes('\0'))
    return { phrase: 'which contains a NUL character', suggestion: 'Remove it: no path can contain one.' };
  if (/^~(?:\/|$)/.test(text))
    return {
      phrase: 'but no shell expands "~" here',
      suggestion: 'Pass a path relative to the working directory, or an absolute one.',
    };
  if (isAbsolute(text)) return undefined;
  const target = resolve(workingDirectory, text);
  if (reachable.some((folder) => isInside(folder, target))) return undefined;
  return {
    phrase: `which leads to ${quote(clip(target, 200))}, outside the scope`,
    suggestion: `Pass a path in ${quote(clip(reachable[0] ?? workingDirectory, 200))}.`,
  };
}
