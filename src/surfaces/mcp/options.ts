/** What whoever starts the server decides for all its clients. */
export interface McpOptions {
  /** Names of toolsets, such as `core`. */
  readonly toolsets: readonly string[];
  /** Only tools that change nothing. */
  readonly isReadOnly: boolean;
  /** No structured content and no output schemas: for clients that show both forms to the model. */
  readonly isTextOnly: boolean;
  /** A session of the user's; each client has one of its own where absent. */
  readonly session: string | undefined;
}
