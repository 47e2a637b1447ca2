import { DEFAULT_SUBCOMMAND } from '../model/tools/tool-file.ts';
import type { ToolFile, ToolSubcommand } from '../model/tools/tool-file.ts';

/** A command of a tool file that is a tool of its own. */
export interface NamedCommand {
  /** As MCP clients call it: `git_commit`, `cargo_nextest_run`. */
  readonly name: string;
  /** The subcommands that lead to it, outermost first; none for a tool without subcommands. */
  readonly path: readonly ToolSubcommand[];
  /** The same as indexes, for messages about the file. */
  readonly indexes: readonly number[];
}

/** Every tool of a file, in its order. A tool without subcommands is its own; a subcommand called `default` has the name of what is above it. */
export function namedCommands(file: ToolFile): NamedCommand[] {
  const found: NamedCommand[] = [];
  const walk = (
    { subcommand }: Pick<ToolSubcommand, 'subcommand'>,
    name: string,
    path: readonly ToolSubcommand[],
    indexes: readonly number[],
  ): void => {
    if (subcommand === undefined) found.push({ name, path, indexes });
    for (const [index, child] of (subcommand ?? []).entries())
      walk(
        child,
        child.name === DEFAULT_SUBCOMMAND ? name : `${name}_${child.name}`,
        [...path, child],
        [...indexes, index],
      );
  };
  walk(file, file.name, [], []);
  return found;
}

/** The tool that a step of a sequence names: `subcommand` has `_` between its levels and is left out for the tool itself. */
export function stepToolName(tool: string, subcommand: string | undefined): string {
  if (subcommand === undefined) return tool;
  const words = subcommand.split('_');
  if (words.at(-1) === DEFAULT_SUBCOMMAND) words.pop();
  return [tool, ...words].join('_');
}
