/** Options that the user sets for all clients of a server. */
export interface McpOptions {
  /** Names of toolsets, such as `core`. */
  readonly toolsets: readonly string[];
  /** Offer only tools that change nothing. */
  readonly isReadOnly: boolean;
  /** No structured content and no output schemas: for clients that pass both forms to the model. */
  readonly isTextOnly: boolean;
  /** One of the user's sessions. Default: each client has its own. */
  readonly session: string | undefined;
}
