import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The only names of the server: other sites must not reach it under their own (DNS rebinding). The port differs behind a tunnel. */
const LOCAL = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

type Request = Pick<IncomingMessage, 'headers'>;

/** Whether a request names this machine. */
export function isForThisMachine({ headers: { host } }: Request): boolean {
  return LOCAL.test(host ?? '');
}

/** Whether a request comes from the page itself or from a program, not from a page of another site. */
export function isFromOwnPage({ headers }: Request): boolean {
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  return (
    (origin === undefined || origin === `http://${host}`) && (site === undefined || site === 'same-origin')
  );
}

/** Compares in a time that reveals nothing. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
