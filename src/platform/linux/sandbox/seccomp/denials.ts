import type { DeniedAccess } from '../../../../model/tools/operation.ts';
import type { PathAccess, PathRule } from '../landlock/landlock.ts';
import type { Place } from '../landlock/path-walk.ts';
import { AF_INET, AF_INET6, AF_UNIX } from '../libc-library.ts';
import { isBelow } from '../levels/probe-canary.ts';
import type { FileAccess } from './watched-calls.ts';

/** A denied access, without the program and the count. */
export type Denial = Pick<DeniedAccess, 'operation' | 'target' | 'allow'>;

type Need = 'read' | 'execute' | 'write' | 'change folder';

const GRANTED: Readonly<Record<Need, readonly PathAccess[]>> = {
  read: ['read', 'execute', 'write', 'device'],
  execute: ['execute', 'write'],
  write: ['write', 'device'],
  'change folder': ['write'],
};

/**
 * The denial of a file access, with the line of a tool file that would allow it. A failure for another reason, such as a missing file, is
 * not a denial.
 * @param to the second place of a rename or link
 */
export function denialOf(
  rules: readonly PathRule[],
  access: FileAccess,
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
    // A program in its own session has no terminal, whatever the rules.
    if (target === '/dev/tty') return undefined;
    // Files of a process disappear with it, so no rule can name them in advance.
    if (isBelow(target, '/proc')) return { operation, target };
    const field = need === 'read' || need === 'execute' ? 'read' : 'write';
    return { operation, target, allow: `"sandbox": {"${field}": [${JSON.stringify(at)}]}` };
  };
  const made = (operation: Denial['operation'], at: Place) =>
    denied(operation, at.path, 'change folder', at.parent);
  switch (access.kind) {
    case 'open':
      if (!place.exists) return access.creates && place.parentExists ? made('create', place) : undefined;
      if (access.exclusive) return undefined;
      return access.writes
        ? denied('write', place.path, 'write', place.path)
        : denied('read', place.path, 'read', place.path);
    case 'make-unnamed':
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
      if (access.kind === 'link' && to.exists) return undefined;
      return made(access.kind, place) ?? made(access.kind, to);
    default:
      return undefined;
  }
}

/** The denial of a socket. */
export function socketDenial(domain: number): Denial {
  if (domain === AF_UNIX)
    return { operation: 'unix-socket', target: 'a Unix socket', allow: '"sandbox": {"unix_sockets": true}' };
  if (domain === AF_INET || domain === AF_INET6) {
    const target = domain === AF_INET ? 'an IPv4 address' : 'an IPv6 address';
    return { operation: 'network', target, allow: '"sandbox": {"network": true}' };
  }
  return { operation: 'network', target: `a socket of family ${domain}` };
}
