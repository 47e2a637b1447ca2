import type { DeniedAccess } from '../../../../model/tools/confinement.ts';
import type { PathAccess, PathRule } from '../landlock/landlock.ts';
import type { Place } from '../landlock/path-walk.ts';
import { isBelow } from '../levels/probe-canary.ts';
import type { FileWish } from './watched-calls.ts';

/** A denied access before it is known who it was and how often. */
export type Denial = Pick<DeniedAccess, 'operation' | 'target' | 'allow'>;

type Need = 'read' | 'execute' | 'write' | 'change folder';

const GRANTED: Readonly<Record<Need, readonly PathAccess[]>> = {
  read: ['read', 'execute', 'write', 'device'],
  execute: ['execute', 'write'],
  write: ['write', 'device'],
  'change folder': ['write'],
};

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;

/**
 * Pure: what the rules deny of a wish, and the line of a tool file that would allow it. What fails for another reason, such as that there is no
 * such file, is no denial.
 * @param to where the second path of a rename or link leads
 */
export function denialOf(
  rules: readonly PathRule[],
  wish: FileWish,
  place: Place,
  to: Place | undefined,
): Denial | undefined {
  const denied = (
    operation: Denial['operation'],
    target: string,
    need: Need,
    at: string,
  ): Denial | undefined => {
    if (rules.some((rule) => isBelow(at, rule.path) && GRANTED[need].includes(rule.access))) return undefined;
    // There is no terminal to be had in a session of its own, by any rule.
    if (target === '/dev/tty') return undefined;
    // A file of one process is gone with it: nobody can name it beforehand.
    if (isBelow(target, '/proc')) return { operation, target };
    const field = need === 'read' || need === 'execute' ? 'read' : 'write';
    return { operation, target, allow: `"sandbox": {"${field}": [${JSON.stringify(at)}]}` };
  };
  const made = (operation: Denial['operation'], at: Place) =>
    denied(operation, at.path, 'change folder', at.parent);
  switch (wish.kind) {
    case 'open':
      if (!place.exists) return wish.creates && place.parentExists ? made('create', place) : undefined;
      if (wish.exclusive) return undefined;
      return wish.writes
        ? denied('write', place.path, 'write', place.path)
        : denied('read', place.path, 'read', place.path);
    case 'make-nameless':
      return place.exists ? denied('create', place.path, 'change folder', place.path) : undefined;
    case 'execute':
      return place.exists ? denied('execute', place.path, 'execute', place.path) : undefined;
    case 'truncate':
      return place.exists ? denied('write', place.path, 'write', place.path) : undefined;
    case 'make':
      return !place.exists && place.parentExists ? made('create', place) : undefined;
    case 'remove':
      return place.exists ? made('delete', place) : undefined;
    case 'rename':
    case 'link':
      if (!place.exists || to === undefined || !to.parentExists) return undefined;
      if (wish.kind === 'link' && to.exists) return undefined;
      return made(wish.kind, place) ?? made(wish.kind, to);
    default:
      return undefined;
  }
}

/** Pure: a socket that is closed, as a denial. */
export function socketDenial(domain: number): Denial {
  if (domain === AF_UNIX)
    return { operation: 'unix-socket', target: 'a Unix socket', allow: '"sandbox": {"unix_sockets": true}' };
  if (domain === AF_INET || domain === AF_INET6) {
    const target = domain === AF_INET ? 'an IPv4 address' : 'an IPv6 address';
    return { operation: 'network', target, allow: '"sandbox": {"network": true}' };
  }
  return { operation: 'network', target: `a socket of family ${domain}` };
}
