import { DEFAULT_SUBCOMMAND, type ToolFile, type ToolSubcommand } from '../model/tools/tool-file.ts';

/** A command of a tool file that is a separate tool. */
export interface NamedCommand {
  /** Its name for MCP clients: `git_commit`, `cargo_nextest_run`. */
  readonly name: string;
  /** Its subcommands, outermost first; empty for a tool without subcommands. */
  readonly path: readonly ToolSubcommand[];
  /** The same as indexes, for messages. */
  readonly indexes: readonly number[];
}

/** Every tool of a file, in order. A file without subcommands is one tool; a subcommand called `default` has the name of its parent. */
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

/** The tool that a step of a sequence calls: `subcommand` has `_` between its levels and is omitted for the tool itself. */
export function stepToolName(tool: string, subcommand: string | undefined): string {
  if (subcommand === undefined) return tool;
  const words = subcommand.split('_');
  if (words.at(-1) === DEFAULT_SUBCOMMAND) words.pop();
  return [tool, ...words].join('_');
}
