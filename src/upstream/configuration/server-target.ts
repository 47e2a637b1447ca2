import { createHash } from 'node:crypto';

interface CommonTarget {
  /** Longest time for an answer. */
  readonly timeoutMs: number;
  /** Texts that answers, messages and logs must not repeat. */
  readonly secrets: readonly string[];
}

/** A server that we start. */
export interface ProgramTarget extends CommonTarget {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A server that we reach. */
export interface WebTarget extends CommonTarget {
  readonly kind: 'http';
  readonly url: string;
  /** Its transport is that of 2024, `sse`. */
  readonly isOfStream?: boolean | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Registered with the authorization server beforehand. */
  readonly client?: { readonly id: string; readonly secret: string | undefined } | undefined;
  readonly scope?: string | undefined;
  readonly redirectPort?: number | undefined;
}

/** How a server is reached, with all variables replaced. */
export type ServerTarget = ProgramTarget | WebTarget;

export const USUAL_TIMEOUT_MS = 60_000;

/** The same for the same server with the same settings, and reveals nothing of them. */
export function targetKey(name: string, target: ServerTarget): string {
  return createHash('sha256')
    .update(JSON.stringify([name, target]))
    .digest('hex');
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why an address cannot be used, as a phrase: what is sent there may contain tokens, so it must be encrypted or stay on this machine. */
export function addressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return 'its address is not valid';
  if (url.username !== '' || url.password !== '') return 'its address contains a user name or a password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) return undefined;
  return 'its address is neither https nor http on this machine';
}
