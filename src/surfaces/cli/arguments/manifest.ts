/** One input of a command as the command line sees it. */
export interface ManifestParameter {
  /** Name in the command's input. */
  readonly key: string;
  /** Long flag without dashes; absent for bare arguments. */
  readonly flag?: string;
  readonly short?: string;
  /** How bare arguments make the items of a list of objects: pairs of a target and a value, one command line each, or the name of a file that has them. */
  readonly bare?: 'pairs' | 'lines' | 'file';
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'object' | 'objects';
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** A flag without a value is off. */
  readonly default?: string | number | boolean;
  readonly required?: boolean;
  /** Key of a flag after which a bare argument is this parameter. */
  readonly follows?: string;
  /** Description of a global flag; the manual has those of commands. */
  readonly help?: string;
}

/** One command as the command line sees it; the manual has the texts for people. */
export interface ManifestCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly kind: 'read' | 'act' | 'input' | 'admin';
  /** Repeating it changes nothing further. */
  readonly idempotent?: boolean;
  /** The command line implements it itself, in `verbs/`. */
  readonly runsIn?: 'client';
  /** The command line runs it in its own process if the daemon cannot. */
  readonly isUrgent?: boolean;
  /** Key that may hold a secret, which can come from standard input or a variable. */
  readonly secret?: string;
  readonly parameters: readonly ManifestParameter[];
  /** Keys taken from bare arguments, in order. */
  readonly positionals?: readonly string[];
  /** Key of a flag that a bare argument means, too. */
  readonly bare?: string;
  /** Key that takes everything after `--`. */
  readonly rest?: string;
}

/** What parsing and sending a command line needs; generated from the commands so that they need not be loaded. */
export interface Manifest {
  readonly version: string;
  readonly envelopeVersion: string;
  /** How a mistake on the command line is reported. */
  readonly usageError: { readonly code: string; readonly exitCode: number };
  readonly internalExitCode: number;
  /** Exit code of every error code. */
  readonly errorExitCodes: Readonly<Record<string, number>>;
  readonly commands: readonly ManifestCommand[];
}
