import { z } from 'zod';
import { KeysUnavailable, type KeyFinder } from './issuer-keys.ts';
import { errors, jwtVerify } from './jose-library.ts';

/** Signatures with a public key. Not `none`, and none with a shared secret, for which a public key could be passed off. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** How far the clocks of both servers may differ. */
export const SKEW_SECONDS = 30;
const LONGEST_TOKEN = 12_000;

const Claims = z.object({
  sub: z.string().min(1).max(1000),
  client_id: z.string().min(1).max(2000),
  exp: z.number(),
  iat: z.number(),
  scope: z.string().max(5000).default(''),
});

/** What a valid token says. */
export interface VerifiedToken {
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: KeyFinder;
}

/** What is wrong with a token, for its owner; never contains a part of it. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/** Checks a token of the form of RFC 9068. @throws InvalidToken, KeysUnavailable */
export async function verifyToken(
  token: string,
  { issuer, audience, keys }: TokenRules,
): Promise<VerifiedToken> {
  if (token.length > LONGEST_TOKEN) throw new InvalidToken('The token is too long.');
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      typ: 'at+jwt',
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub', 'client_id'],
    });
    const { sub, client_id: clientId, exp, iat, scope } = Claims.parse(payload);
    if (iat > Date.now() / 1000 + SKEW_SECONDS) throw new InvalidToken('The token is from the future.');
    return { subject: sub, clientId, scopes: scope.split(' ').filter((each) => each !== ''), expiresAt: exp };
  } catch (error) {
    if (error instanceof KeysUnavailable || error instanceof InvalidToken) throw error;
    throw new InvalidToken(reasonOf(error));
  }
}

/** In our own words: those of the library may quote the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The token is not meant for this server.';
    if (error.claim === 'iss') return 'The token is from another authorization server.';
    if (error.claim === 'typ') return 'The token is not an access token of the type at+jwt.';
    return 'A claim of the token is missing or not valid.';
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The token is signed with an algorithm that is not accepted.';
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token is signed with an unknown key.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the token is wrong.';
  return 'The token is not a valid signed access token.';
}
