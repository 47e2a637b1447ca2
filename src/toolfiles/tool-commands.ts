import { mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { OperationAnswer } from '../model/tools/operation-answer.ts';
import { toolCommandName } from '../model/tools/tool-command-name.ts';
import { heedFileTools, runAnswerParts, runDeadlineMs, runOperation } from '../registry/define.ts';
import type { CommandDefinition, CommandGroup, Toolset } from '../registry/define.ts';
import { planRun } from './run/plan-run.ts';
import type { RunnableTool } from './run/runnable-tool.ts';
import { toolInputSchema } from './run/tool-input.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

export interface ToolCommandOptions {
  readonly catalogue: Pick<ToolCatalogue, 'require'>;
  /** How long a call waits for the command to end before it returns an operation id. */
  readonly graceSeconds: number;
  readonly group: CommandGroup;
  readonly toolsets: readonly Toolset[];
  /** The configuration makes every tool synchronous. */
  readonly isAlwaysSynchronous?: boolean | undefined;
}

/**
 * A tool of a tool file as a command, served like all others. It is looked up again for each call, so that a tool that has changed or is no longer
 * trusted is not run.
 */
export function toolCommand(
  tool: RunnableTool,
  options: ToolCommandOptions,
): CommandDefinition<ReturnType<typeof toolInputSchema>, typeof OperationAnswer> {
  const { catalogue, graceSeconds, group, toolsets } = options;
  const answersAtEnd = (input: Readonly<Record<string, unknown>>) =>
    options.isAlwaysSynchronous === true ||
    (input['execution_mode'] === undefined ? tool.isSynchronous : input['execution_mode'] === 'sync');
  return {
    name: toolCommandName(tool.name),
    mcpName: tool.name,
    title: titleOf(tool),
    group,
    toolsets,
    kind: 'admin',
    longRunning: 'operation',
    surfaces: ['mcp'],
    isOfToolFile: true,
    isReadOnly: tool.isReadOnly,
    destructive: tool.isDestructive ?? !tool.isReadOnly,
    summary: sentence(tool.description),
    description: whenItAnswers(
      tool,
      graceSeconds,
      options.isAlwaysSynchronous === true || tool.isSynchronous,
    ),
    input: toolInputSchema(tool),
    ...runAnswerParts,
    examples: [],
    deadlineMs: (input) => {
      const seconds = input['timeout_seconds'];
      const limit = typeof seconds === 'number' ? seconds : tool.timeoutSeconds;
      return runDeadlineMs(answersAtEnd(input) ? limit : graceSeconds);
    },
    run: async (ctx, input) => {
      const { scope, home, guarded } = await ctx.runs();
      const run = new Map<string, RunnableTool>();
      const find = (name: string): RunnableTool => {
        const found = catalogue.require(name);
        run.set(found.name, found);
        return found;
      };
      const current = find(tool.name);
      const request = await planRun(current, inputFor(current, input), {
        places: { scope, home, guarded, cwd: ctx.cwd },
        find,
        files: ctx.files,
      });
      const call = { command: toolCommandName(tool.name).join(' '), tool: tool.name, input };
      heedFileTools(ctx, call, [...run.values()].map(lossOf));
      return runOperation(ctx, request, { isSynchronous: answersAtEnd(input) });
    },
  };
}

function lossOf({ name, isDestructive }: RunnableTool): { readonly name: string; readonly loses?: string } {
  return {
    name,
    ...(isDestructive === true ? { loses: 'its tool file says that it may lose something' } : {}),
  };
}

/** Validates the input again, as the file may have changed since the tool was listed. */
function inputFor(
  tool: RunnableTool,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const parsed = toolInputSchema(tool).strict().safeParse(input);
  if (parsed.success) return parsed.data;
  throw new DeskterityError(
    'CONFLICT',
    `The file of ${tool.name} has changed and now accepts other parameters.`,
    {
      suggestion: 'List the tools again, then call it as described there.',
    },
  );
}

/** When the tool answers; callers must know that the end of a long run is not announced. */
function whenItAnswers(tool: RunnableTool, graceSeconds: number, isSynchronous: boolean): string {
  if (isSynchronous) return `Returns when the tool has ended, after at most ${tool.timeoutSeconds} seconds.`;
  return `Returns the output if the tool ends within ${graceSeconds} seconds, otherwise with an operation_id while it continues. You are not notified when it ends: do other work meanwhile, then call ${mentionCommand('operation await')} with the operation_id.`;
}

function titleOf({ name }: RunnableTool): string {
  return name.replaceAll('_', ' ');
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?:)]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
