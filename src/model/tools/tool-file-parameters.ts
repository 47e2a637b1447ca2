import { isReservedName, RESERVED_NAME } from '../text/reserved-name.ts';
import { mentionKey } from '../text/mention.ts';
import { z } from 'zod';

/** Longest description of one thing. */
const LONGEST_DESCRIPTION = 4000;

/** Longest name of an option or argument. */
const LONGEST_NAME = 64;

export const Description = z.string().min(1).max(LONGEST_DESCRIPTION);

/** A member that is true or false, or absent. */
export function optionalFlag(description: string) {
  return z.boolean().describe(description).optional();
}

const ParameterName = z
  .string()
  .max(LONGEST_NAME)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
    'must consist of letters, digits, "-" and "_" and start with a letter or digit',
  )
  .refine((name) => !isReservedName(name), { error: RESERVED_NAME })
  .describe(
    `Name of the parameter. Callers write it with "_" in place of "-": "dry-run" is ${mentionKey('dry_run')} in the input of the tool.`,
  );

const ALLOW_LEADING_DASH = {
  allow_leading_dash: optionalFlag(
    'The program accepts values that begin with "-". If not set, such a value is refused where the program could take it for an option.',
  ),
};

/** What options and arguments have in common, in the order of the schema. */
const VALUE = {
  required: optionalFlag('The caller must give it. Default: false.'),
  default: z
    .union([z.string(), z.boolean(), z.number(), z.array(z.string())])
    .describe('Value that is passed on the command line if the caller gives none.')
    .optional(),
  format: z
    .literal('path')
    .describe(
      'The value names a file or folder. Set this for every such parameter: a path outside the scope is refused before the command starts.',
    )
    .optional(),
  enum: z
    .array(z.string().max(1000))
    .min(1)
    .max(200)
    .describe('The only accepted texts; for an array, the only accepted items.')
    .optional(),
};

/** One option of a command line, such as `--message TEXT` or `--release`. */
export const ToolOption = z
  .strictObject({
    name: ParameterName,
    type: z
      .enum(['string', 'boolean', 'integer', 'number', 'array'])
      .describe(
        '"boolean" is a switch without a value. "array" is a list of texts: the option is repeated for each.',
      ),
    description: Description.describe('What the option does, for callers of the tool.'),
    ...VALUE,
    flag: z
      .string()
      .max(LONGEST_NAME)
      .regex(/^--?[^\s=-][^\s=]*$/, 'must be "-" or "--" followed by the name, such as "--message" or "-m"')
      .optional()
      .describe(
        'How the option is written. Default: "--" and its name, or "-" and its name if that is one letter.',
      ),
    separator: z
      .enum(['space', '='])
      .optional()
      .describe(
        'Separator of flag and value: "space" (--jobs 4) or "=" (--jobs=4). Options with an optional value need "=". Default: a space, or "=" if the flag begins with "--" and the value with "-".',
      ),
    ...ALLOW_LEADING_DASH,
  })
  .meta({ id: 'ToolOption', description: 'An option of the command line.' });
export type ToolOption = z.output<typeof ToolOption>;

/** One bare argument of a command line. */
export const ToolPositional = z
  .strictObject({
    name: ParameterName,
    type: z
      .enum(['string', 'integer', 'number', 'array'])
      .describe('"array" takes any number of arguments and must be last.'),
    description: Description.describe('What the argument is, for callers of the tool.'),
    ...VALUE,
    after_double_dash: optionalFlag(
      '"--" is always written before this argument, as in "git log -- PATH" or "cargo test -- ARGUMENTS".',
    ),
    ...ALLOW_LEADING_DASH,
  })
  .meta({
    id: 'ToolPositional',
    description: 'A bare argument of the command line; written after all options, in the order of the file.',
  });
export type ToolPositional = z.output<typeof ToolPositional>;

/** Parameters that set how a tool is run; they are never passed to the command. The MCP server adds `session`. */
export const META_PARAMETERS = ['working_directory', 'execution_mode', 'timeout_seconds', 'session'] as const;

/** The key of an option or argument in the input of the tool. */
export function inputKey(name: string): string {
  return name.replaceAll('-', '_');
}

/** How an option is written. */
export function flagOf({ name, flag }: Pick<ToolOption, 'name' | 'flag'>): string {
  return flag ?? (name.length === 1 ? `-${name}` : `--${name}`);
}
