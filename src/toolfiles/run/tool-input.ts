import { z } from 'zod';
import { inputKey, type ToolOption, type ToolPositional } from '../../model/tools/tool-file-parameters.ts';
import { runMetaParameters } from '../../registry/define.ts';
import type { RunnableTool } from './runnable-tool.ts';

/** The value of a parameter. */
export type ParameterValue = string | number | boolean | readonly string[];

/** Input of a tool by key, without the parameters of the run. */
export type ToolArguments = Readonly<Record<string, ParameterValue | undefined>>;

/** Most items of one list. */
const MOST_ITEMS = 10_000;

const ParameterValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const MetaParameters = z.object(runMetaParameters);

/** Parameters of the run; never passed to the command. */
export type MetaParameters = z.output<typeof MetaParameters>;

/** The options and arguments of a tool in display order: arguments, then its own options, then those of the levels above. */
export function toolParameters(tool: RunnableTool): readonly (ToolOption | ToolPositional)[] {
  return [...tool.positionals, ...tool.levels.toReversed().flatMap(({ options }) => options)];
}

/** The schema of the command's own parameters. */
export function argumentsSchema(tool: RunnableTool): z.ZodObject {
  return z.object(
    Object.fromEntries(
      toolParameters(tool).map((parameter) => [inputKey(parameter.name), parameterType(parameter)]),
    ),
  );
}

/** The schema of the tool: {@link argumentsSchema} and the parameters of the run. */
export function toolInputSchema(tool: RunnableTool): z.ZodObject {
  return argumentsSchema(tool).extend(MetaParameters.shape);
}

/** Splits an input that {@link toolInputSchema} has accepted. */
export function splitInput(
  tool: RunnableTool,
  input: Readonly<Record<string, unknown>>,
): {
  readonly meta: MetaParameters;
  readonly given: ToolArguments;
} {
  const keys = toolParameters(tool).map(({ name }) => inputKey(name));
  const given = keys.flatMap((key) => {
    const value = input[key];
    return value === undefined ? [] : [[key, ParameterValue.parse(value)] as const];
  });
  return { meta: MetaParameters.parse(input), given: Object.fromEntries(given) };
}

function parameterType(parameter: ToolOption | ToolPositional): z.ZodType {
  const bare = bareType(parameter).describe(parameter.description);
  if (parameter.default !== undefined) return bare.default(parameter.default);
  return parameter.required === true ? bare : bare.optional();
}

function bareType({ type, enum: values, required }: ToolOption | ToolPositional): z.ZodType {
  const text = values === undefined ? z.string() : z.enum(values);
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return z.boolean();
    case 'integer':
      return z.int();
    case 'number':
      return z.number();
    default:
      return required === true ? z.array(text).min(1).max(MOST_ITEMS) : z.array(text).max(MOST_ITEMS);
  }
}
