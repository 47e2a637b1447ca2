import { z } from 'zod';
import { boundedJson } from './bounded-json.ts';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from './jose-library.ts';
import { isLoopbackName } from './oauth-settings.ts';

/** Finds the key that a token is signed with. */
export type KeyFinder = (
  ...asked: Parameters<JWTVerifyGetKey>
) => ReturnType<ReturnType<typeof createLocalJWKSet>>;

const MOST_KEYS = 100;
/** Keys are read again after this time, so that a withdrawn key is not accepted for long. */
const FRESH_MS = 10 * 60_000;
/** If they cannot be read again, the old ones are used for this long. */
const STALE_MS = 60 * 60_000;
/** An unknown key makes us read the keys again, but not more often than this, whatever tokens are sent. */
const PAUSE_MS = 10_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url().max(2000) });
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MOST_KEYS) });

/** The authorization server or its keys cannot be read, so no token can be judged. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

interface Kept {
  readonly find: KeyFinder;
  readonly readAt: number;
}

/** The public keys of an authorization server, found through its metadata (RFC 8414, OpenID Connect Discovery), read when needed and kept. */
export class IssuerKeys {
  private readonly issuer: string;
  private readonly now: () => number;
  private keysUrl: string | undefined;
  private kept: Kept | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<Kept> | undefined;

  constructor(issuer: string, now: () => number = () => performance.now()) {
    this.issuer = issuer;
    this.now = now;
  }

  /** The key of a token. Rejects with {@link KeysUnavailable}, or with an error of the library if there is no such key. */
  readonly find: KeyFinder = async (...asked) => {
    const kept = await this.current();
    try {
      return await kept.find(...asked);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.afterRotation(kept);
      if (newer === undefined) throw error;
      return newer.find(...asked);
    }
  };

  private async current(): Promise<Kept> {
    const { kept } = this;
    const age = kept === undefined ? Number.POSITIVE_INFINITY : this.now() - kept.readAt;
    if (kept !== undefined && age < FRESH_MS) return kept;
    try {
      return await this.read();
    } catch (error) {
      if (kept !== undefined && age < STALE_MS) return kept;
      throw error;
    }
  }

  /** The keys read anew; `undefined` if they were read a moment ago, or cannot be read. */
  private async afterRotation(known: Kept): Promise<Kept | undefined> {
    if (this.kept !== undefined && this.kept !== known) return this.kept;
    return this.read().catch(() => undefined);
  }

  private read(): Promise<Kept> {
    if (this.reading !== undefined) return this.reading;
    if (this.now() - this.triedAt < PAUSE_MS) return Promise.reject(unavailable());
    this.triedAt = this.now();
    this.reading = this.fetchKeys()
      .then((keys) => (this.kept = { find: createLocalJWKSet(keys), readAt: this.now() }))
      .catch((cause: unknown) => {
        // The server may have moved its keys.
        this.keysUrl = undefined;
        throw unavailable(cause);
      })
      .finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async fetchKeys(): Promise<JSONWebKeySet> {
    this.keysUrl ??= await this.discover();
    const { keys } = Keys.parse(await boundedJson(this.keysUrl));
    // A secret key here could be a public key under another name.
    return { keys: keys.filter(({ kty }) => kty === 'RSA' || kty === 'EC' || kty === 'OKP') };
  }

  private async discover(): Promise<string> {
    for (const url of metadataUrls(this.issuer)) {
      const found = await boundedJson(url);
      if (found === undefined) continue;
      const { issuer, jwks_uri: keysUrl } = Metadata.parse(found);
      if (issuer !== this.issuer) throw new Error('the metadata is that of another issuer');
      const { protocol, hostname } = new URL(keysUrl);
      if (protocol !== 'https:' && !isLoopbackName(hostname)) throw new Error('the keys are not at https');
      return keysUrl;
    }
    throw new Error('no metadata');
  }
}

/** RFC 8414, 3.1, then OpenID Connect Discovery in both spellings. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

function unavailable(cause?: unknown): KeysUnavailable {
  return new KeysUnavailable('The keys of the authorization server cannot be read.', { cause });
}
