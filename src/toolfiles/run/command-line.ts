import { DeskterityError } from '../../model/effects/errors.ts';
import { flagOf, inputKey } from '../../model/tools/tool-file-parameters.ts';
import type { ToolOption, ToolPositional } from '../../model/tools/tool-file-parameters.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { RunnableTool } from './runnable-tool.ts';
import type { ParameterValue, ToolArguments } from './tool-input.ts';

/** Longest single argument that Linux accepts (MAX_ARG_STRLEN without the terminator). */
const LONGEST_ARGUMENT_BYTES = 131_071;

/** All arguments in total; the kernel's limit is 2 MiB including the environment. */
const LONGEST_COMMAND_LINE_BYTES = 1_500_000;

const END_OF_OPTIONS = '--';

/**
 * The arguments after the program. They are passed unchanged, without a shell.
 * @throws DeskterityError INVALID_ARGUMENT if one could be read as an option, cannot be passed, or would be in the wrong position
 */
export function commandArguments(tool: RunnableTool, given: ToolArguments): string[] {
  const line = [
    ...tool.levels.flatMap(({ words, options }) => [
      ...words,
      ...options.flatMap((option) => optionArguments(tool, option, given[inputKey(option.name)])),
    ]),
    ...positionalArguments(tool, given),
  ];
  checkLengths(tool, line);
  return line;
}

function optionArguments(
  tool: RunnableTool,
  option: ToolOption,
  value: ParameterValue | undefined,
): string[] {
  const flag = flagOf(option);
  if (option.type === 'boolean') return value === true ? [flag] : [];
  return textsOf(value).flatMap((text) => {
    requirePassable(tool, option, text);
    const passed = asPath(option, text);
    if (option.separator === '=') return [`${flag}=${passed}`];
    if (!looksLikeOption(passed) || option.allow_leading_dash === true) return [flag, passed];
    if (flag.startsWith('--') && option.separator === undefined) return [`${flag}=${passed}`];
    throw dashRefused(tool, option, text);
  });
}

interface GivenPositional {
  readonly positional: ToolPositional;
  readonly values: readonly string[];
}

function positionalArguments(tool: RunnableTool, given: ToolArguments): string[] {
  const all = tool.positionals.map((positional): GivenPositional => ({
    positional,
    values: textsOf(given[inputKey(positional.name)]),
  }));
  const barrier = all.findIndex(({ positional }) => positional.after_double_dash === true);
  const before = barrier === -1 ? all : all.slice(0, barrier);
  const after = barrier === -1 ? [] : all.slice(barrier);
  for (const group of [before, after]) requireNoGap(tool, group);
  const hasAfter = after.some(({ values }) => values.length > 0);
  const first: string[] = [];
  let isGuarded = false;
  for (const { positional, values } of before)
    for (const text of values) {
      requirePassable(tool, positional, text);
      const passed = asPath(positional, text);
      if (looksLikeOption(passed) && positional.allow_leading_dash !== true) {
        // Programs accept only one `--`, which is needed later.
        if (!tool.takesDoubleDash || hasAfter) throw dashRefused(tool, positional, text);
        isGuarded = true;
      }
      first.push(passed);
    }
  const last = after.flatMap(({ positional, values }) =>
    values.map((text) => {
      requirePassable(tool, positional, text);
      return text;
    }),
  );
  return [...(isGuarded ? [END_OF_OPTIONS] : []), ...first, ...(hasAfter ? [END_OF_OPTIONS] : []), ...last];
}

/** If an argument is omitted, the next one would take its position. */
function requireNoGap(tool: RunnableTool, group: readonly GivenPositional[]): void {
  let missing: string | undefined;
  for (const { positional, values } of group) {
    if (values.length === 0) missing ??= positional.name;
    else if (missing !== undefined)
      throw new DeskterityError(
        'INVALID_ARGUMENT',
        `${tool.name}: ${inputKey(positional.name)} needs ${inputKey(missing)}, which comes before it.`,
        { suggestion: `Pass ${inputKey(missing)} too.` },
      );
  }
}

function textsOf(value: ParameterValue | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? [...value] : [String(value)];
}

/** `-` alone usually means standard input or output, and is not an option. */
function looksLikeOption(text: string): boolean {
  return text.length > 1 && text.startsWith('-');
}

/** A file name that begins with "-" is prefixed with "./". */
function asPath({ format }: Pick<ToolOption, 'format'>, text: string): string {
  return format === 'path' && looksLikeOption(text) ? `./${text}` : text;
}

function requirePassable(tool: RunnableTool, { name }: Pick<ToolOption, 'name'>, text: string): void {
  if (text.includes('\0'))
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `${tool.name}: ${inputKey(name)} contains a NUL character, which commands cannot receive.`,
      { suggestion: 'Remove it, or pass the text in a file.' },
    );
}

function checkLengths(tool: RunnableTool, line: readonly string[]): void {
  const sizes = line.map((text) => Buffer.byteLength(text));
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const total = sizes.reduce((sum, size) => sum + size + 1, 0);
  if (longest <= LONGEST_ARGUMENT_BYTES && total <= LONGEST_COMMAND_LINE_BYTES) return;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    longest > LONGEST_ARGUMENT_BYTES
      ? `${tool.name}: an argument is ${longest} bytes long, but the system allows at most ${LONGEST_ARGUMENT_BYTES}.`
      : `${tool.name}: the arguments are ${total} bytes long in total, but at most ${LONGEST_COMMAND_LINE_BYTES} are allowed.`,
    { suggestion: 'Write the data to a file in the scope, and pass the file name.' },
  );
}

function dashRefused(tool: RunnableTool, { name }: Pick<ToolOption, 'name'>, text: string): DeskterityError {
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `${tool.name}: ${inputKey(name)} is ${quote(clip(text, 60))}, which ${tool.program} could read as an option.`,
    {
      suggestion:
        'Pass a value that does not begin with "-". Options of the program are separate parameters.',
    },
  );
}
