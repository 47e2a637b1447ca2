import type { ToolFacts, ToolFileFacts } from '../ports/tools.ts';
import type { RunnableTool } from './run/runnable-tool.ts';

/** A folder with tool files. */
export interface ToolFolder extends Pick<ToolFileFacts, 'path' | 'origin'> {
  /** It was named by the user, so report it if it is missing. */
  readonly isNamed?: boolean | undefined;
}

/** One tool of a file, and whether it can be called. */
export interface ToolEntry extends Pick<ToolFacts, 'state' | 'reason' | 'instructions'> {
  readonly tool: RunnableTool;
}

/** A tool file that was found: its path with links resolved, and the name of its tool, or the file name if that is unknown. */
export interface ToolFileEntry extends Omit<ToolFileFacts, 'tools'> {
  /** Empty if it is invalid or overridden. */
  readonly tools: readonly ToolEntry[];
}

/** All tool files of a scope at one time. */
export interface ToolSnapshot {
  /** In the order of the folders, and of their names inside each. */
  readonly files: readonly ToolFileEntry[];
  /** Problems with folders or the trust store, as sentences without a full stop. */
  readonly problems: readonly string[];
}
