import { DeskterityError } from '../../model/effects/errors.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { pointerTo } from './problem.ts';
import type { ToolFileProblem } from '../../model/tools/tool-file-problem.ts';
import { runnableTools, type RunnableTool } from '../run/runnable-tool.ts';
import { sandboxPlaces, type HomePlaces } from '../run/sandbox-places.ts';
import type { ScannedFile } from './scan-tool-files.ts';
import { sequenceIssues } from '../run/sequences.ts';
import { namedCommands } from '../tool-names.ts';

/** A tool file, in relation to all others. */
export interface JoinedFile extends ScannedFile {
  readonly overriddenBy: string | undefined;
  /** The tools of a valid file that is not overridden. */
  readonly runnable: readonly RunnableTool[];
}

export interface JoinRules {
  readonly places: HomePlaces;
  /** Whether a name belongs to a tool that is not from a tool file. */
  readonly isTaken: (name: string) => boolean;
}

/**
 * Checks tool files together: a later folder overrides an earlier one by tool name; two files in one folder with the same name, and tools with
 * the same name, are problems of both; sequences may only call existing tools.
 */
export function joinToolFiles(files: readonly ScannedFile[], rules: JoinRules): JoinedFile[] {
  const problems = new Map(files.map((file) => [file, [...file.problems]]));
  const report = (file: ScannedFile, path: readonly PropertyKey[], message: string, suggestion: string) => {
    const problem: ToolFileProblem = {
      file: file.path,
      ...file.placeOf(path),
      pointer: pointerTo(path),
      message,
      suggestion,
    };
    problems.get(file)?.push(problem);
  };
  const overriddenBy = overriding(files);
  const inForce = files.filter((file) => !overriddenBy.has(file));
  for (const [first, second] of sameNames(inForce))
    for (const [file, other] of [
      [first, second],
      [second, first],
    ] as const)
      report(
        file,
        ['name'],
        `${reveal(other.path)} also defines the tool "${file.name}"`,
        'Rename one of the two, or remove it.',
      );
  const isGood = (file: ScannedFile) => file.tool !== undefined && problems.get(file)?.length === 0;
  const runnable = new Map(
    inForce.filter(isGood).map((file) => [file, file.tool === undefined ? [] : runnableTools(file.tool)]),
  );
  reportTakenNames(runnable, rules, report);
  for (const [file, tools] of runnable) {
    const [message] = tools.flatMap((tool) => placesProblem(tool, rules.places) ?? []);
    if (message !== undefined)
      report(file, ['sandbox'], message, 'List other folders in "write" of "sandbox".');
  }
  const byName = new Map(
    [...runnable].flatMap(([file, tools]) => (isGood(file) ? tools.map((tool) => [tool.name, tool]) : [])),
  );
  for (const [file, tools] of runnable)
    for (const tool of tools)
      // Sequences inside a file were checked when it was parsed.
      if (tool.sequence !== undefined && tool.name === file.name && file.tool?.sequence !== undefined)
        for (const { path, message, suggestion } of sequenceIssues(tool, byName))
          report(file, ['sequence', ...path], message, suggestion);
  return files.map((file) => ({
    ...file,
    problems: problems.get(file) ?? [],
    overriddenBy: overriddenBy.get(file),
    runnable: overriddenBy.has(file) || !isGood(file) ? [] : (runnable.get(file) ?? []),
  }));
}

/** The overridden files, with the path of the file that overrides each. Files are in the order of their folders. An invalid or untrusted file also takes its name, so that no other tool is called in its place. */
function overriding(files: readonly ScannedFile[]): ReadonlyMap<ScannedFile, string> {
  const overriddenBy = new Map<ScannedFile, string>();
  for (const [index, file] of files.entries()) {
    const later = files
      .slice(index + 1)
      .find((other) => other.folder !== file.folder && other.name === file.name);
    if (later !== undefined) overriddenBy.set(file, later.path);
  }
  return overriddenBy;
}

function* sameNames(files: readonly ScannedFile[]): Generator<readonly [ScannedFile, ScannedFile]> {
  for (const [index, file] of files.entries())
    for (const other of files.slice(index + 1)) if (other.name === file.name) yield [file, other];
}

function reportTakenNames(
  runnable: ReadonlyMap<ScannedFile, readonly RunnableTool[]>,
  { isTaken }: JoinRules,
  report: (file: ScannedFile, path: readonly PropertyKey[], message: string, suggestion: string) => void,
): void {
  const owners = new Map<string, ScannedFile>();
  for (const file of runnable.keys())
    for (const { name, indexes } of file.tool === undefined ? [] : namedCommands(file.tool)) {
      const path = [...indexes.flatMap((index) => ['subcommand', index]), 'name'];
      const owner = owners.get(name);
      const advice = 'Rename one of the two.';
      if (isTaken(name))
        report(file, path, `"${name}" is a tool of Deskterity itself`, 'Choose another name.');
      else if (owner === undefined) owners.set(name, file);
      else if (owner !== file) {
        report(file, path, `the tool would be called "${name}", like one in ${reveal(owner.path)}`, advice);
        report(owner, ['name'], `a tool would be called "${name}", like one in ${reveal(file.path)}`, advice);
      }
    }
}

function placesProblem(tool: RunnableTool, places: HomePlaces): string | undefined {
  try {
    sandboxPlaces(tool.sandbox, places);
    return undefined;
  } catch (error) {
    if (error instanceof DeskterityError) return error.message.replace(/\.$/, '').replace(/^A/, 'a');
    throw error;
  }
}
