import type { ToolFile, ToolStep } from '../../model/tools/tool-file.ts';
import type { ToolFileIssue } from '../../model/tools/tool-file-issue.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { nearest } from '../../model/text/nearest.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { commandArguments } from './command-line.ts';
import { runnableTools, type RunnableTool } from './runnable-tool.ts';
import { argumentsSchema, splitInput, type ToolArguments } from './tool-input.ts';
import { namedCommands, stepToolName } from '../tool-names.ts';

/** Most commands of one sequence, including nested ones. */
export const MOST_COMMANDS = 100;

/** Maximum nesting of sequences. */
const DEEPEST = 20;

/** Issues reported per file, as the search for similar names is slow. */
const MOST_ISSUES = 50;

/** A command of a sequence. */
export interface SequenceCommand {
  readonly tool: RunnableTool;
  readonly given: ToolArguments;
  /** Pause before it, in milliseconds. */
  readonly delayMs: number;
}

/** Finds the tool of a step by its name. Its error becomes the error of the sequence. */
export type FindTool = (name: string) => RunnableTool;

/**
 * The commands of a tool: itself, or those of its sequence, including nested ones.
 * @throws DeskterityError errors of `find`; TOOL_INVALID for sequences that call themselves, have more than {@link MOST_COMMANDS} commands or
 * pass invalid arguments
 */
export function sequenceCommands(
  tool: RunnableTool,
  given: ToolArguments,
  find: FindTool,
): SequenceCommand[] {
  const commands: SequenceCommand[] = [];
  const add = (
    current: RunnableTool,
    input: ToolArguments,
    delayMs: number,
    trail: readonly string[],
  ): void => {
    if (trail.length > DEEPEST) throw invalid(`sequences call each other more than ${DEEPEST} deep`);
    if (trail.includes(current.name))
      throw invalid(`the sequence calls itself: ${[...trail, current.name].join(' → ')}`);
    if (current.sequence === undefined) {
      commands.push({ tool: current, given: input, delayMs });
      if (commands.length > MOST_COMMANDS)
        throw invalid(`the sequence has more than ${MOST_COMMANDS} commands`);
      return;
    }
    for (const [index, step] of current.sequence.entries()) {
      const next = find(stepToolName(step.tool, step.subcommand));
      add(next, stepArguments(next, step), index === 0 ? delayMs : current.stepDelayMs, [
        ...trail,
        current.name,
      ]);
    }
  };
  add(tool, given, 0, []);
  return commands;
}

/** Issues of the sequences inside a file's subcommands. Steps that call other files are checked once those are known. */
export function ownSequenceIssues(file: ToolFile): ToolFileIssue[] {
  const tools = new Map(runnableTools(file).map((tool) => [tool.name, tool]));
  const found: ToolFileIssue[] = [];
  for (const { name, indexes, path } of namedCommands(file)) {
    const tool = tools.get(name);
    if (path.at(-1)?.sequence === undefined || tool === undefined) continue;
    const place = [...indexes.flatMap((index) => ['subcommand', index]), 'sequence'];
    for (const issue of sequenceIssues(tool, tools)) {
      found.push({ ...issue, path: [...place, ...issue.path] });
      if (found.length >= MOST_ISSUES) return found;
    }
  }
  return found;
}

/** Issues of a tool's sequence, with paths relative to its list of steps. */
export function* sequenceIssues(
  tool: RunnableTool,
  tools: ReadonlyMap<string, RunnableTool>,
): Generator<ToolFileIssue> {
  let isGood = true;
  for (const [index, step] of (tool.sequence ?? []).entries()) {
    const name = stepToolName(step.tool, step.subcommand);
    const target = tools.get(name);
    if (target === undefined) {
      isGood = false;
      yield unknownStep(name, step, index, tools);
      continue;
    }
    const issue = argumentIssue(target, step, [index]);
    if (issue === undefined) continue;
    isGood = false;
    yield issue;
  }
  if (!isGood) return;
  try {
    sequenceCommands(tool, {}, (name) => {
      const found = tools.get(name);
      if (found === undefined) throw new UnknownDeeper();
      return found;
    });
  } catch (error) {
    // An unknown step of a nested sequence is reported at its own place.
    if (error instanceof UnknownDeeper) return;
    if (!(error instanceof DeskterityError)) throw error;
    yield { path: [], message: error.message.replace(/\.$/, ''), suggestion: error.suggestion };
  }
}

class UnknownDeeper extends Error {}

function unknownStep(
  name: string,
  step: ToolStep,
  index: number,
  tools: ReadonlyMap<string, RunnableTool>,
): ToolFileIssue {
  const below = [...tools.keys()].filter((known) => known.startsWith(`${step.tool}_`));
  if (step.subcommand === undefined && below.length > 0)
    return {
      path: [index, 'tool'],
      message: `the tool ${step.tool} has subcommands, so the step must select one`,
      suggestion: `They are ${below.slice(0, 10).join(', ')}.`,
    };
  const close = nearest(name, [...tools.keys()]);
  return {
    path: [index, step.subcommand === undefined ? 'tool' : 'subcommand'],
    message: `the tool ${quote(clip(name, 80))} does not exist`,
    suggestion: close === undefined ? 'Correct the name, or add the tool.' : `Did you mean ${close}?`,
  };
}

function argumentIssue(
  target: RunnableTool,
  step: ToolStep,
  path: ToolFileIssue['path'],
): ToolFileIssue | undefined {
  try {
    commandArguments(target, stepArguments(target, step));
    return undefined;
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    const { message, suggestion } = error;
    return { path: [...path, 'args'], message: message.replace(/\.$/, ''), suggestion };
  }
}

/** @throws DeskterityError INVALID_ARGUMENT if a step passes arguments that the tool does not accept */
function stepArguments(target: RunnableTool, { args = {} }: ToolStep): ToolArguments {
  const schema = argumentsSchema(target).strict();
  const parsed = schema.safeParse(args);
  if (parsed.success) return splitInput(target, parsed.data).given;
  // Unknown keys first: one is often the misspelled form of a missing key.
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const accepted = Object.keys(schema.shape);
  const takes = accepted.length === 0 ? 'It accepts no arguments.' : `It accepts ${accepted.join(', ')}.`;
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const close = nearest(key, accepted);
    throw new DeskterityError('INVALID_ARGUMENT', `${target.name} does not accept ${quote(clip(key, 60))}.`, {
      suggestion: close === undefined ? takes : `Did you mean ${close}?`,
    });
  }
  const key = String(issue?.path[0] ?? '');
  const verb = Object.hasOwn(args, key) ? 'does not accept this value for' : 'needs';
  throw new DeskterityError('INVALID_ARGUMENT', `${target.name} ${verb} ${key}.`, { suggestion: takes });
}

function invalid(problem: string): DeskterityError {
  return new DeskterityError('TOOL_INVALID', `${problem}.`, {
    suggestion: 'Remove steps from the sequence.',
  });
}
