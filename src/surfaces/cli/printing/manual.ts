/** What people read of one command. */
export interface CommandManual {
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  /** What each of its parameters is for, by key. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly examples: readonly { readonly about: string; readonly line: string }[];
}

/** What people read of the command line, beside the manifest: most calls need none of it, and do not load it. */
export interface Manual {
  readonly groups: readonly { readonly id: string; readonly title: string }[];
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  /** By name. */
  readonly commands: Readonly<Record<string, CommandManual>>;
}
