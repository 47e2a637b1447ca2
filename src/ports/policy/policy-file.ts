/** A policy file: its content as a table, the same one as long as the file does not change, or why it cannot be used, with the line if that is known. */
export type PolicyFileText =
  | { readonly table: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly problem: string; readonly line?: number | undefined };

export interface PolicyFileOptions {
  /** It can only tighten the user's own. */
  readonly isOfProject: boolean;
  /** Folders that tools may be confined to: the user's own file must not be in one. */
  readonly scopes: readonly string[];
}

/** Where a path in a rule leads. */
export interface PathFacts {
  /** The same file or folder without links; absent if the path contains none, or leads nowhere. */
  readonly real?: string | undefined;
  /** A script: a process that it starts runs another file. */
  readonly isScript?: boolean | undefined;
}
