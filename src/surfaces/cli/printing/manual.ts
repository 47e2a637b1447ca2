/** Texts for people about one command. */
export interface CommandManual {
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  /** Description of each parameter, by key. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly examples: readonly { readonly about: string; readonly line: string }[];
}

/** Texts for people, apart from the manifest because most calls do not need to load them. */
export interface Manual {
  /** What a model reads first. */
  readonly guide: string;
  readonly groups: readonly { readonly id: string; readonly title: string }[];
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  /** By name. */
  readonly commands: Readonly<Record<string, CommandManual>>;
}
