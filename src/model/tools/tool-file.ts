import { isReservedName, RESERVED_NAME } from '../text/reserved-name.ts';
import { mentionKey } from '../text/mention.ts';
import { z } from 'zod';
import { LONGEST_RUN_SECONDS, USUAL_RUN_SECONDS } from './run-seconds.ts';
import { Description, optionalFlag, ToolOption, ToolPositional } from './tool-file-parameters.ts';
import { SandboxNeeds } from './tool-file-sandbox.ts';

/** Longest tool name that MCP clients accept. */
export const LONGEST_TOOL_NAME = 64;

/** Command of a tool that only runs other tools. */
export const SEQUENCE_COMMAND = 'sequence';

/** Subcommand that is the command above it, without an additional word. */
export const DEFAULT_SUBCOMMAND = 'default';

const LONGEST_STEP_DELAY_MS = 60_000;

const MOST_STEPS = 100;

const WORD = /^\S+$/;

const StepArguments = z
  .record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.array(z.string())]))
  .describe('Input of the step, by the parameter names of the called tool.');

const StepSubcommand = z
  .string()
  .max(LONGEST_TOOL_NAME)
  .regex(
    /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/,
    'must be the name of a subcommand; for a nested one, both names joined by "_"',
  )
  .describe(
    'Subcommand to call; "nextest_run" is "run" below "nextest". Omit it for a tool without subcommands.',
  );

/** A step that calls any tool. */
export const ToolStep = z
  .strictObject({
    tool: z.string().min(1).max(LONGEST_TOOL_NAME).describe('Name of the tool to call.'),
    subcommand: StepSubcommand.optional(),
    args: StepArguments.optional(),
    description: Description.optional().describe('What the step is for.'),
  })
  .meta({ id: 'ToolStep', description: 'A call of a tool.' });
export type ToolStep = z.output<typeof ToolStep>;

/** A step that calls another subcommand of the same tool. */
export const SubcommandStep = z
  .strictObject({
    subcommand: StepSubcommand,
    args: StepArguments.optional(),
    description: Description.optional().describe('What the step is for.'),
  })
  .meta({ id: 'SubcommandStep', description: 'A call of another subcommand of the same tool.' });
export type SubcommandStep = z.output<typeof SubcommandStep>;

/** What a tool and a subcommand have in common, in the order of the schema. */
const COMMON = {
  enabled: optionalFlag(
    'If false, the tool is not offered, and its program is not looked up. Default: true.',
  ),
  timeout_seconds: z
    .int()
    .min(1)
    .max(LONGEST_RUN_SECONDS)
    .describe(
      `Time after which the command is ended. Subcommands override it. Default: ${USUAL_RUN_SECONDS}.`,
    )
    .optional(),
  synchronous: optionalFlag(
    `Answer only when the command has ended, for commands that must finish before anything else is done, such as a change of package.json. Subcommands override it. Default: false, which answers with an ${mentionKey('operation_id')} if the command takes more than a few seconds.`,
  ),
  read_only: optionalFlag(
    'The tool changes nothing, so clients may call it without asking the user. This is not enforced. Subcommands override it. Default: false.',
  ),
  destructive: optionalFlag(
    'Whether it may lose something, or send it to others. If true, a person agrees before it runs, as to destructive acts. If false, clients are told that it does not. Subcommands override it. Default: clients are told that it may, unless it is read_only, and nobody is asked.',
  ),
  double_dash: optionalFlag(
    'The program accepts "--" as the end of options: it is added if an argument begins with "-". Subcommands override it. Default: false; such an argument is refused.',
  ),
  options: z
    .array(ToolOption)
    .max(300)
    .optional()
    .describe('Options. If there are subcommands, each accepts these options, written before its words.'),
  positional_args: z
    .array(ToolPositional)
    .max(50)
    .optional()
    .describe('Bare arguments in order: required ones first, a list last.'),
};

const AVAILABILITY = {
  step_delay_ms: z
    .int()
    .min(0)
    .max(LONGEST_STEP_DELAY_MS)
    .describe(
      'Pause between the steps of the sequence, in milliseconds, such as for a lock file to be released. Default: 0.',
    )
    .optional(),
  availability_check: z
    .string()
    .min(1)
    .max(1000)
    .describe(
      'Command that succeeds if the tool is installed, such as "which cargo-nextest". Words are split at spaces, without a shell. Default: the command is searched in PATH.',
    )
    .optional(),
  install_instructions: Description.describe('How to install it; shown if it is not available.').optional(),
};

const Subcommands = z
  .lazy(() => z.array(ToolSubcommand))
  .meta({
    id: 'ToolSubcommands',
    description:
      'Subcommands, nested to any depth; each one without subcommands becomes a tool, such as git_commit.',
  });

type Common = z.output<z.ZodObject<typeof COMMON & typeof AVAILABILITY>>;

export interface ToolSubcommand extends Common {
  name: string;
  description: string;
  words?: string[] | undefined;
  subcommand?: ToolSubcommand[] | undefined;
  sequence?: SubcommandStep[] | undefined;
  sandbox?: SandboxNeeds | undefined;
}

const SubcommandObject = z
  .strictObject({
    name: z
      .string()
      .max(LONGEST_TOOL_NAME)
      .regex(
        /^[A-Za-z0-9-]+$/,
        'must consist of letters, digits and "-"; "_" separates the levels of a tool name',
      )
      .describe(
        'The word on the command line, and a part of the tool name. "default" means the parent command itself.',
      ),
    description: Description.describe('What it does, for callers.'),
    words: z
      .array(z.string().max(1000).regex(WORD, 'must be one word without spaces'))
      .max(20)
      .optional()
      .describe('Words for the command line instead of the name, such as ["-m", "pytest"]; [] for no words.'),
    ...COMMON,
    subcommand: Subcommands.optional(),
    sequence: z
      .array(SubcommandStep)
      .min(1)
      .max(MOST_STEPS)
      .optional()
      .describe('Subcommands of the same tool, called one after the other until one fails.'),
    ...AVAILABILITY,
    sandbox: SandboxNeeds.optional().describe(
      'Access it needs beyond that of the levels above it; lists are merged.',
    ),
  })
  .meta({ id: 'ToolSubcommand', description: 'A subcommand.' });

export const ToolSubcommand: z.ZodType<ToolSubcommand> = SubcommandObject;

export const SUBCOMMAND_KEYS: readonly string[] = Object.keys(SubcommandObject.shape);

/** A tool file (MTDF): how a command-line program becomes tools. */
export const ToolFile = z
  .strictObject({
    $schema: z.string().optional().describe('Where editors find this schema.'),
    name: z
      .string()
      .max(LONGEST_TOOL_NAME)
      .regex(/^[A-Za-z0-9_-]+$/, 'must consist of letters, digits, "_" and "-"')
      .refine((name) => !isReservedName(name), { error: RESERVED_NAME })
      .describe('Name of the tool. For a subcommand, both names are joined by "_": git_commit.'),
    description: Description.describe('What the tool does, for callers.'),
    command: z
      .string()
      .max(4096)
      .regex(WORD, 'must be one program without arguments')
      .describe(
        `The program: a name that is searched in PATH, a path relative to the scope such as "./scripts/check.sh", or an absolute path; "~" is your real home. "${SEQUENCE_COMMAND}" for a tool that only calls others.`,
      ),
    ...COMMON,
    subcommand: Subcommands.optional(),
    sequence: z
      .array(ToolStep)
      .min(1)
      .max(MOST_STEPS)
      .optional()
      .describe(
        `For "command": "${SEQUENCE_COMMAND}": tools that are called one after the other until one fails.`,
      ),
    ...AVAILABILITY,
    sandbox: SandboxNeeds.optional().describe('What it needs beyond its scope. Default: nothing.'),
  })
  .meta({
    title: 'Tool file of Deskterity',
    description:
      'How a command-line program becomes tools for an agent: their names, parameters and access rights.',
  });
export type ToolFile = z.output<typeof ToolFile>;
