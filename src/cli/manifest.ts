/** One input of a command as the command line sees it. */
export interface ManifestParameter {
  /** Name in the command's input. */
  readonly key: string;
  /** Long flag without dashes; absent for what is taken from bare arguments. */
  readonly flag?: string;
  readonly short?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'strings';
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly required: boolean;
  readonly help: string;
}

/** One command as the command line sees it. */
export interface ManifestCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: string;
  readonly kind: 'read' | 'act' | 'input' | 'admin';
  /** Repeating it changes nothing further. */
  readonly idempotent?: boolean;
  /** The command line carries it out itself; its body is in `verbs/`. */
  readonly runsIn?: 'client';
  /** Key whose text may be a secret: it can come from standard input or a variable. */
  readonly secret?: string;
  readonly usage: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly ManifestParameter[];
  /** Keys taken from bare arguments, in order. */
  readonly positionals: readonly string[];
  /** Key that takes everything after `--`. */
  readonly rest?: string;
  readonly examples: readonly { readonly about: string; readonly line: string }[];
}

/** All the command line knows; generated from the commands, so that it need not load them. */
export interface Manifest {
  readonly version: string;
  readonly envelopeVersion: string;
  /** What a mistake on the command line is reported as. */
  readonly usageError: { readonly code: string; readonly exitCode: number };
  readonly internalExitCode: number;
  /** Exit code of every error code. */
  readonly errorExitCodes: Readonly<Record<string, number>>;
  readonly groups: readonly { readonly id: string; readonly title: string }[];
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  readonly commands: readonly ManifestCommand[];
}
