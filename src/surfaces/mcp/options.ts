import type { App, CallSettings } from '../../app/app.ts';
import type { Structured } from '../../model/configuration/config.ts';
import type { Caller } from '../../model/sessions/caller.ts';

/** Options that the user sets for all clients of a server. */
export interface McpOptions {
  /** Names of toolsets, such as `core`. */
  readonly toolsets: readonly string[];
  /** The security mode is sandboxed, whatever the policy says: only tools that change nothing are offered. */
  readonly isReadOnly: boolean;
  /** Whether answers carry structured content, and tools output schemas. Default: the setting. */
  readonly structured: Structured | undefined;
  /** One of the user's sessions. Default: each client has its own. */
  readonly session: string | undefined;
}

/** The parts of an MCP server. */
export interface McpParts {
  readonly app: App;
  /** The user's environment and folder. */
  readonly caller: Caller;
  /** Version of the package. */
  readonly version: string;
  readonly options: McpOptions;
  readonly log: { write: NonNullable<CallSettings['onLog']> };
}
