/** `b68token` of RFC 6750: nothing else may be in the header. */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
const LONGEST = 16_384;

export function isBearerToken(token: string): boolean {
  return token.length <= LONGEST && BEARER_TOKEN.test(token);
}
