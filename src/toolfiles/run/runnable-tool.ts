import { USUAL_RUN_SECONDS } from '../../model/tools/run-seconds.ts';
import { DEFAULT_SUBCOMMAND } from '../../model/tools/tool-file.ts';
import type { ToolFile, ToolStep, ToolSubcommand } from '../../model/tools/tool-file.ts';
import type { ToolOption, ToolPositional } from '../../model/tools/tool-file-parameters.ts';
import type { SandboxNeeds } from '../../model/tools/tool-file-sandbox.ts';
import { namedCommands } from '../tool-names.ts';

/** Part of a command line: words, and the options that follow them. */
export interface CommandLevel {
  readonly words: readonly string[];
  readonly options: readonly ToolOption[];
}

/** A check whether a command can be used, and instructions if it cannot. */
export interface DeclaredCheck {
  readonly command: string;
  readonly instructions: string | undefined;
}

/** One tool of a tool file, with everything inherited from the levels above it. */
export interface RunnableTool {
  /** `git_commit` */
  readonly name: string;
  /** Name of its file's tool: `git`. */
  readonly tool: string;
  readonly description: string;
  /** As in the file; `sequence` for a tool that calls others. */
  readonly program: string;
  /** The program's own options first. */
  readonly levels: readonly CommandLevel[];
  readonly positionals: readonly ToolPositional[];
  /** Steps instead of a command. */
  readonly sequence: readonly ToolStep[] | undefined;
  readonly stepDelayMs: number;
  readonly isEnabled: boolean;
  readonly isSynchronous: boolean;
  readonly isReadOnly: boolean;
  /** As its file says; absent if it says nothing. */
  readonly isDestructive: boolean | undefined;
  readonly takesDoubleDash: boolean;
  readonly timeoutSeconds: number;
  readonly checks: readonly DeclaredCheck[];
  /** Shown if a check without its own instructions fails. */
  readonly instructions: string | undefined;
  readonly sandbox: SandboxNeeds;
}

type Level = Omit<ToolSubcommand, 'sequence' | 'name'>;

/** Every tool of a file, in its order. */
export function runnableTools(file: ToolFile): RunnableTool[] {
  return namedCommands(file).map(({ name, path }) => {
    const { sequence: steps, ...top } = file;
    const chain: readonly Level[] = [top, ...path];
    const leaf = path.at(-1);
    const nearest = <K extends keyof Level>(key: K): Level[K] | undefined =>
      chain.findLast((level) => level[key] !== undefined)?.[key];
    return {
      name,
      tool: file.name,
      description: (leaf ?? file).description,
      program: file.command,
      levels: [
        { words: [], options: file.options ?? [] },
        ...path.map((level) => ({ words: wordsOf(level), options: level.options ?? [] })),
      ],
      positionals: (leaf ?? file).positional_args ?? [],
      sequence: leaf === undefined ? steps : leaf.sequence?.map((step) => ({ tool: file.name, ...step })),
      stepDelayMs: (leaf ?? file).step_delay_ms ?? 0,
      isEnabled: chain.every(({ enabled }) => enabled !== false),
      isSynchronous: nearest('synchronous') ?? false,
      isReadOnly: nearest('read_only') ?? false,
      isDestructive: nearest('destructive'),
      takesDoubleDash: nearest('double_dash') ?? false,
      timeoutSeconds: nearest('timeout_seconds') ?? USUAL_RUN_SECONDS,
      checks: chain.flatMap(({ availability_check: command, install_instructions: instructions }) =>
        command === undefined ? [] : [{ command, instructions }],
      ),
      instructions: nearest('install_instructions'),
      sandbox: chain.map(({ sandbox = {} }) => sandbox).reduce((outer, inner) => joined(outer, inner)),
    };
  });
}

function wordsOf({ name, words }: ToolSubcommand): readonly string[] {
  return name === DEFAULT_SUBCOMMAND ? [] : (words ?? [name]);
}

/** Adds the inner one to the outer one; the inner one takes precedence. */
function joined(outer: SandboxNeeds, inner: SandboxNeeds): SandboxNeeds {
  const environment = {
    pass: [...(outer.environment?.pass ?? []), ...(inner.environment?.pass ?? [])],
    set: { ...outer.environment?.set, ...inner.environment?.set },
  };
  return {
    ...outer,
    ...inner,
    read: [...(outer.read ?? []), ...(inner.read ?? [])],
    write: [...(outer.write ?? []), ...(inner.write ?? [])],
    environment,
  };
}
