import type { Grant } from './oauth/oauth-access.ts';

/** One request to the MCP endpoint. */
export interface McpRequest {
  readonly request: Request;
  /** The parsed body of a POST. */
  readonly body: unknown;
  readonly toolsets: readonly string[] | undefined;
  /** Folder that the path is for. */
  readonly folder: string | undefined;
  /** Identifies the path and, if there are access tokens, their owner. */
  readonly key: string;
  /** What the access token permits, if there is one. */
  readonly grant: Grant | undefined;
}
