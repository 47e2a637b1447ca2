/** One input of a command as the command line sees it. */
export interface ManifestParameter {
  /** Name in the command's input. */
  readonly key: string;
  /** Long flag without dashes; absent for what is taken from bare arguments. */
  readonly flag?: string;
  readonly short?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'object';
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly required?: boolean;
  /** What it is for, where it is no command's own; the manual has those. */
  readonly help?: string;
}

/** One command as the command line sees it; what only people read of it is in the manual. */
export interface ManifestCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly kind: 'read' | 'act' | 'input' | 'admin';
  /** Repeating it changes nothing further. */
  readonly idempotent?: boolean;
  /** The command line carries it out itself; its body is in `verbs/`. */
  readonly runsIn?: 'client';
  /** The command line does it in its own process where the daemon is of no use. */
  readonly isUrgent?: boolean;
  /** Key whose text may be a secret: it can come from standard input or a variable. */
  readonly secret?: string;
  readonly parameters: readonly ManifestParameter[];
  /** Keys taken from bare arguments, in order. */
  readonly positionals?: readonly string[];
  /** Key that takes everything after `--`. */
  readonly rest?: string;
}

/** What it takes to read a command line and send it; generated from the commands, so that they need not be loaded. */
export interface Manifest {
  readonly version: string;
  readonly envelopeVersion: string;
  /** What a mistake on the command line is reported as. */
  readonly usageError: { readonly code: string; readonly exitCode: number };
  readonly internalExitCode: number;
  /** Exit code of every error code. */
  readonly errorExitCodes: Readonly<Record<string, number>>;
  readonly commands: readonly ManifestCommand[];
}
