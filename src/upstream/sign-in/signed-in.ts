import { createHash } from 'node:crypto';
import { errorCode } from '../../model/error-code.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { WebTarget } from '../configuration/server-target.ts';
import { auth, OAuthError, type AuthProvider } from '../sdk.ts';
import type { CredentialStore } from './credential-store.ts';
import { isBearerToken } from './bearer-token.ts';
import { NotSent, noteRefused } from './not-sent.ts';
import { allScopes } from './scopes.ts';
import { SignInDemanded } from './sign-in-demanded.ts';
import { StoredProvider } from './stored-provider.ts';
import { TokenRequests } from './token-requests.ts';
import { wordsOf } from './words-of.ts';

/** How long one process waits for another one that refreshes. */
const PATIENCE_MS = 45_000;
/** An answer may still repeat a token that was replaced a moment ago. */
const MOST_SEEN = 8;

/** What a server demanded when it refused a request. */
export interface Challenge {
  readonly scope: string | undefined;
  readonly metadata: URL | undefined;
  /** The token is valid, but does not permit this. */
  readonly isForMore?: boolean | undefined;
}

export interface SignedInParts {
  readonly store: CredentialStore;
  readonly target: WebTarget;
  readonly clock: ClockPort;
  readonly locked: <T>(path: string, body: () => Promise<T>) => Promise<T>;
}

/**
 * The token of one server for its requests. A refused one is refreshed once, by one process: refresh tokens are often valid once, and a second use
 * ends them all. Nobody is asked to sign in from here.
 */
export class SignedIn implements AuthProvider {
  /** Present since the server refused a request, until one can be made. */
  challenge: Challenge | undefined;
  private readonly parts: SignedInParts;
  private used: string | undefined;
  private readonly seen = new Set<string>();
  private refreshing: Promise<boolean> | undefined;

  constructor(parts: SignedInParts) {
    this.parts = parts;
  }

  /** The tokens of the last requests, which answers, messages and logs must not repeat. */
  get secrets(): readonly string[] {
    return [...this.seen];
  }

  async token(): Promise<string | undefined> {
    const { store, target } = this.parts;
    const tokens = (await store.entry(target.url))?.tokens;
    this.note(tokens?.access_token);
    this.note(tokens?.refresh_token);
    // An older file may contain anything, and a header must not.
    this.used = isBearerToken(tokens?.access_token ?? '') ? tokens?.access_token : undefined;
    return this.used;
  }

  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const challenge = challengeOf(response);
    const refused = this.used;
    this.refreshing ??= this.refresh(refused).finally(() => {
      this.refreshing = undefined;
    });
    noteRefused(true);
    if (await this.refreshing) {
      noteRefused(false);
      this.challenge = undefined;
      return;
    }
    this.challenge = challenge;
    throw new SignInDemanded();
  }

  /** Heeds a refusal of a token that is valid: whoever signs in again is to be asked for what is missing, too. @throws SignInDemanded */
  async onForbidden(response: Pick<Response, 'headers'>): Promise<void> {
    const { scope: missing, metadata } = challengeOf(response);
    if (fieldOf(response, 'error') !== 'insufficient_scope') return;
    const { store, target } = this.parts;
    const entry = await store.entry(target.url);
    const scope = allScopes(target.scope, entry?.tokens?.scope, entry?.needed_scope, missing);
    this.challenge = { scope, metadata, isForMore: true };
    if (entry !== undefined && scope !== undefined && scope !== entry.needed_scope)
      await store.change(target.url, entry.issuer, (known) => ({ ...known, needed_scope: scope }));
    throw new SignInDemanded();
  }

  private note(token: string | undefined): void {
    if (token === undefined) return;
    this.seen.delete(token);
    this.seen.add(token);
    for (const old of [...this.seen].slice(0, -MOST_SEEN)) this.seen.delete(old);
  }

  /** @returns whether there is another token now */
  private async refresh(refused: string | undefined): Promise<boolean> {
    const { store, target, clock, locked } = this.parts;
    const name = createHash('sha256').update(target.url).digest('hex').slice(0, 16);
    const giveUpAt = clock.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await locked(`${store.file}.${name}.refresh.lock`, () => this.refreshOnce(refused));
      } catch (error) {
        if (errorCode(error) !== 'ELOCKED' || clock.now() > giveUpAt) throw error;
      }
    }
  }

  private async refreshOnce(refused: string | undefined): Promise<boolean> {
    const { store, target } = this.parts;
    const tokens = (await store.entry(target.url))?.tokens;
    // Another process was faster.
    if (tokens !== undefined && tokens.access_token !== refused) return true;
    if (tokens?.refresh_token === undefined) return false;
    const provider = new StoredProvider({ store, target, redirect: undefined });
    const requests = new TokenRequests(target);
    let failure: unknown;
    try {
      const result = await auth(provider, { serverUrl: target.url, fetchFn: requests.fetch });
      if (result === 'AUTHORIZED') return true;
    } catch (error) {
      failure = error;
    }
    const { problem } = requests;
    // Only somebody who signs in again can help.
    if (problem?.kind === 'refused' || (problem === undefined && failure === undefined)) return false;
    if (problem === undefined && failure instanceof OAuthError) return false;
    const words = problem?.words ?? wordsOf(failure);
    throw new NotSent(`its token could not be refreshed: ${words}`);
  }
}

/** Reads `WWW-Authenticate` as far as it is needed to sign in. */
export function challengeOf(response: Pick<Response, 'headers'>): Challenge {
  const metadata = fieldOf(response, 'resource_metadata');
  return {
    scope: fieldOf(response, 'scope'),
    metadata: metadata !== undefined && URL.canParse(metadata) ? new URL(metadata) : undefined,
  };
}

function fieldOf({ headers }: Pick<Response, 'headers'>, name: string): string | undefined {
  const text = (headers.get('www-authenticate') ?? '').slice(0, 4096);
  const [, quoted, plain] = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,"]+))`).exec(text) ?? [];
  return quoted ?? plain;
}
