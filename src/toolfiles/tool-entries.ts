import type { ToolFileProblem } from '../model/tools/tool-file-problem.ts';
import type { RunnableTool } from './run/runnable-tool.ts';

/** `ready`: shipped with Deskterity. `user`: in the user's configuration. `project`: in the scope, or named by the caller. */
export type FolderOrigin = 'ready' | 'user' | 'project';

/** A folder with tool files. */
export interface ToolFolder {
  readonly path: string;
  readonly origin: FolderOrigin;
  /** It was named by the user, so report it if it is missing. */
  readonly isNamed?: boolean | undefined;
}

export const TOOL_STATES = [
  'ready',
  'untrusted',
  'invalid',
  'disabled',
  'unavailable',
  'overridden',
] as const;

/** `overridden`: a file of a later folder has the same tool name. */
export type ToolState = (typeof TOOL_STATES)[number];

/** One tool of a file, and whether it can be called. */
export interface ToolEntry {
  readonly tool: RunnableTool;
  readonly state: Exclude<ToolState, 'invalid' | 'overridden'>;
  /** Why it is not ready, as a phrase. */
  readonly reason?: string | undefined;
  /** Installation instructions from its file, if it is not available. */
  readonly instructions?: string | undefined;
}

/** A tool file that was found. */
export interface ToolFileEntry {
  /** With links resolved. */
  readonly path: string;
  readonly origin: FolderOrigin;
  /** Its tool name; the file name if that is unknown. */
  readonly name: string;
  readonly state: ToolState;
  /** Hash of its content; absent if it could not be read. */
  readonly sha256: string | undefined;
  /** The file was trusted with other content. */
  readonly hasChanged: boolean;
  readonly problems: readonly ToolFileProblem[];
  /** Path of the file in an earlier folder that this one overrides. */
  readonly overrides?: string | undefined;
  /** Path of the file that overrides this one. */
  readonly overriddenBy?: string | undefined;
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
