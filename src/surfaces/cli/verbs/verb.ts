import type { Readable } from 'node:stream';
import type { Connection } from '../daemon/connection.ts';
import type { Manifest } from '../arguments/manifest.ts';
import type { OutputStream } from '../printing/output.ts';
import type { Globals } from '../arguments/parse.ts';
import type { Input } from '../arguments/scan.ts';

/** All a verb that the command line carries out itself can reach. */
export interface VerbContext {
  /** Checked as far as the manifest describes it, with defaults. */
  readonly input: Input;
  readonly globals: Globals;
  /** `--session`, else `DESKTERITY_SESSION`, else `default`. */
  readonly session: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly manifest: Manifest;
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** To the daemon, which is started when the first call needs it; to the program in this process with --no-daemon. The verb closes it. */
  connect(): Promise<Connection>;
}

/** A verb of the command line that no other surface has. */
export interface ClientVerb {
  /** Prints its answer and resolves with the exit code; a CallFailure it throws is printed for it. */
  run(context: VerbContext): Promise<number>;
}
