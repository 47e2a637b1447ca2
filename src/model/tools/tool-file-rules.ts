import type { ToolFile, ToolSubcommand } from './tool-file.ts';
import { DEFAULT_SUBCOMMAND, LONGEST_TOOL_NAME, SEQUENCE_COMMAND } from './tool-file.ts';
import { issue, type ToolFileIssue } from './tool-file-issue.ts';
import { parameterIssues, type InheritedParameter } from './tool-file-parameter-rules.ts';
import { sandboxIssues } from './tool-file-sandbox-rules.ts';

/** Most tools that one file may define. */
const MOST_TOOLS = 500;

/** Names of Deskterity's own tools. */
const OWN_TOOLS = /^(?:desktop|operation|operations|terminal|tools)_|^(?:run_tool|sandboxed_shell|sequence)$/;

const SHELL_SYNTAX = /[|&;<>$`*?()"'\\]/;

/** All broken rules of a file whose values have the right types; empty if there are none. */
export function toolFileIssues(file: ToolFile): ToolFileIssue[] {
  const issues: ToolFileIssue[] = [
    ...rootIssues(file),
    ...levelIssues(file, { path: [], inherited: [], name: file.name }),
  ];
  const tools = countTools(file);
  if (tools > MOST_TOOLS)
    issues.push({
      path: ['subcommand'],
      message: `the file defines ${tools} tools; at most ${MOST_TOOLS} are possible`,
      suggestion: 'Split it into several files with different names.',
    });
  return issues;
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly inherited: readonly InheritedParameter[];
  /** The name as a tool. */
  readonly name: string;
}

type Level = Omit<ToolSubcommand, 'sequence'> & { readonly sequence?: readonly unknown[] | undefined };

function* rootIssues(file: ToolFile): Generator<ToolFileIssue> {
  const isSequence = file.command === SEQUENCE_COMMAND;
  if (isSequence && file.sequence === undefined)
    yield issue(
      ['command'],
      `the command "${SEQUENCE_COMMAND}" needs "sequence"`,
      'Add "sequence": [{"tool": …, "subcommand": …}], or name the program.',
    );
  if (!isSequence && file.sequence !== undefined)
    yield issue(
      ['sequence'],
      `a "sequence" of a tool needs "command": "${SEQUENCE_COMMAND}"`,
      `Write "command": "${SEQUENCE_COMMAND}", or move the sequence into a subcommand.`,
    );
  if (OWN_TOOLS.test(file.name))
    yield issue(['name'], `"${file.name}" is reserved for Deskterity's own tools`, 'Choose another name.');
}

function* levelIssues(level: Level, place: Place): Generator<ToolFileIssue> {
  const { path } = place;
  const children = level.subcommand;
  if (level.sequence !== undefined) yield* sequenceIssues(level, path);
  else if (level.step_delay_ms !== undefined)
    yield issue([...path, 'step_delay_ms'], '"step_delay_ms" has no effect without "sequence"', 'Remove it.');
  if (children !== undefined && level.positional_args !== undefined)
    yield issue(
      [...path, 'positional_args'],
      'a tool with subcommands takes no arguments itself',
      `Move them into a subcommand; "${DEFAULT_SUBCOMMAND}" means the command itself.`,
    );
  if (children?.length === 0)
    yield issue([...path, 'subcommand'], '"subcommand" is empty', 'Remove it, or add one.');
  if (place.name.length > LONGEST_TOOL_NAME)
    yield issue(
      [...path, 'name'],
      `the tool would be called ${place.name}, which is ${place.name.length} characters long; clients accept at most ${LONGEST_TOOL_NAME}`,
      'Shorten the names; "words" sets what is written on the command line.',
    );
  if (level.availability_check !== undefined && SHELL_SYNTAX.test(level.availability_check))
    yield issue(
      [...path, 'availability_check'],
      '"availability_check" is not run by a shell, so it takes no quotes, variables or operators',
      'Write a program and plain words, such as "cargo nextest --version".',
    );
  yield* parameterIssues(level, place.path, place.inherited);
  if (level.sandbox !== undefined) yield* sandboxIssues(level.sandbox, [...path, 'sandbox']);
  yield* childIssues(children ?? [], level, place);
}

function* sequenceIssues(level: Level, path: Place['path']): Generator<ToolFileIssue> {
  for (const key of ['subcommand', 'options', 'positional_args', 'words'] as const)
    if (level[key] !== undefined)
      yield issue(
        [...path, key],
        `a sequence has no "${key}"; its steps set their own arguments`,
        'Remove it, or remove "sequence".',
      );
  if (level.sandbox !== undefined)
    yield issue(
      [...path, 'sandbox'],
      'a sequence has no "sandbox"; each step uses that of the tool it calls',
      'Remove it, and add it to the tool of the step.',
    );
}

function* childIssues(
  children: readonly ToolSubcommand[],
  level: Level,
  place: Place,
): Generator<ToolFileIssue> {
  const seen = new Map<string, number>();
  const inherited = [
    ...place.inherited,
    ...(level.options ?? []).map(({ name }) => ({ name, owner: place.name })),
  ];
  for (const [index, child] of children.entries()) {
    const path = [...place.path, 'subcommand', index];
    const first = seen.get(child.name);
    if (first !== undefined)
      yield issue(
        [...path, 'name'],
        `there is already a subcommand "${child.name}", the ${ordinal(first)} of this list`,
        'Merge the two, or give one of them another name and "words".',
      );
    else seen.set(child.name, index);
    const isDefault = child.name === DEFAULT_SUBCOMMAND;
    if (isDefault && child.subcommand !== undefined)
      yield issue(
        [...path, 'subcommand'],
        `"${DEFAULT_SUBCOMMAND}" means the parent command itself, so it cannot have subcommands of its own`,
        'Move them one level up.',
      );
    if (isDefault && child.words !== undefined)
      yield issue(
        [...path, 'words'],
        `"${DEFAULT_SUBCOMMAND}" means the parent command itself, so it has no words`,
        'Remove them, or give the subcommand a name.',
      );
    yield* levelIssues(child, {
      path,
      inherited,
      name: isDefault ? place.name : `${place.name}_${child.name}`,
    });
  }
}

function countTools({ subcommand }: { readonly subcommand?: readonly ToolSubcommand[] | undefined }): number {
  if (subcommand === undefined) return 1;
  return subcommand.reduce((sum, child) => sum + countTools(child), 0);
}

function ordinal(index: number): string {
  return ['first', 'second', 'third'][index] ?? `${index + 1}th`;
}
