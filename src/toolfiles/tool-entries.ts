import type { ToolFileProblem } from '../model/tools/tool-file-problem.ts';
import type { RunnableTool } from './run/runnable-tool.ts';

/** `ready`: shipped with Deskterity. `user`: in the user's configuration. `project`: in the scope, or named by the caller. */
export type FolderOrigin = 'ready' | 'user' | 'project';

/** A folder with tool files. */
export interface ToolFolder {
  readonly path: string;
  readonly origin: FolderOrigin;
  /** Somebody named it, and wants to know when it is not there. */
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
  /** What its file says on how to install it, where it is not available. */
  readonly instructions?: string | undefined;
}

/** A tool file that was found. */
export interface ToolFileEntry {
  /** With links resolved. */
  readonly path: string;
  readonly origin: FolderOrigin;
  /** What it calls its tool; the name of the file where that cannot be told. */
  readonly name: string;
  readonly state: ToolState;
  /** Of its content; absent where it could not be read. */
  readonly sha256: string | undefined;
  /** A file at this place was trusted with another content. */
  readonly hasChanged: boolean;
  readonly problems: readonly ToolFileProblem[];
  /** Path of the file of an earlier folder whose place this one takes. */
  readonly overrides?: string | undefined;
  /** Path of the file that takes the place of this one. */
  readonly overriddenBy?: string | undefined;
  /** None where it is invalid or overridden. */
  readonly tools: readonly ToolEntry[];
}

/** All tool files of a scope at one time. */
export interface ToolSnapshot {
  /** In the order of the folders, and of their names inside each. */
  readonly files: readonly ToolFileEntry[];
  /** What kept a folder or the trust store from being read, as sentences without full stop. */
  readonly problems: readonly string[];
}
