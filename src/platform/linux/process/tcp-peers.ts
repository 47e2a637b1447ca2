import { readdirSync, readlinkSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TcpConnection } from '../../../model/sessions/tcp-connection.ts';
import { readText } from '../../node/quiet-files.ts';

/** Then the process counts as unknown: others must not wait for it. */
const SEARCH_MS = 1500;
/** Processes that are looked at in one turn of the event loop. */
const PER_TURN = 20;
const MOST_RECENT = 32;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Clients that were found last: the same ones come again. */
const recent: number[] = [];

/** The processes of this machine at the other end of a connection, as the kernel has it; none if it is on another machine or of another user. */
export async function tcpPeers(connection: TcpConnection): Promise<readonly number[]> {
  const inode = inodeOf(connection);
  if (inode === undefined) return [];
  const end = performance.now() + SEARCH_MS;
  const before = recent.find((pid) => holds(pid, inode));
  if (before !== undefined) return [before];
  const found: number[] = [];
  for (const [index, pid] of processIds().entries()) {
    if (index % PER_TURN === 0) await nextTurn();
    if (performance.now() > end) break;
    if (holds(pid, inode)) found.push(pid);
  }
  recent.unshift(...found);
  recent.length = Math.min(recent.length, MOST_RECENT);
  return found;
}

/** The socket of the other side, which has the same two addresses the other way round. */
function inodeOf({ localAddress, localPort, remoteAddress, remotePort }: TcpConnection): string | undefined {
  const [ours, theirs] = [named(localAddress, localPort), named(remoteAddress, remotePort)];
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of (readText(table) ?? '').split('\n').slice(1)) {
      const [, local = '', remote = '', , , , , uid = '', , inode = '0'] = line.trim().split(/\s+/);
      if (inode === '0' || decoded(local) !== theirs || decoded(remote) !== ours) continue;
      // The processes of other users do not tell what they have open.
      return isReadable(Number(uid)) ? inode : undefined;
    }
  return undefined;
}

function isReadable(uid: number): boolean {
  const own = process.getuid?.();
  return own === 0 || own === uid;
}

function named(address: string, port: number): string {
  return `${MAPPED.exec(address)?.[1] ?? expanded(address)} ${port}`;
}

/** `0100007F:1F90` is 127.0.0.1, port 8080: words of 32 bits, as the processor has them in memory. */
function decoded(text: string): string {
  const [address = '', port = ''] = text.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => {
    const parts = (word.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
    return endianness() === 'LE' ? parts.toReversed() : parts;
  });
  return `${shown(bytes)} ${Number.parseInt(port, 16)}`;
}

function shown(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12).join('.') : Buffer.from(bytes).toString('hex');
}

/** An address of IPv6 as the 32 digits of its bytes. */
function expanded(address: string): string {
  if (isIPv4(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = (part: string): string[] =>
    part === '' ? [] : part.split(':').map((group) => group.padStart(4, '0'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const missing = Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array.from({ length: missing }, () => '0000'), ...last].join('').toLowerCase();
}

/** The newest first. */
function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .toSorted((one, other) => other - one);
  } catch {
    return [];
  }
}

function holds(pid: number, inode: string): boolean {
  const wanted = `socket:[${inode}]`;
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${descriptor}`) === wanted;
      } catch {
        return false;
      }
    });
  } catch {
    // Ended, or of another user.
    return false;
  }
}
