/** The only file that imports the library for signed tokens, so that it can be replaced. Loaded only if an authorization server is set. */
export { createLocalJWKSet, errors, jwtVerify } from 'jose';
export type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
