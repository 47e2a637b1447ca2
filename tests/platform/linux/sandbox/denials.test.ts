import { constants } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { denialOf, socketDenial } from '../../../../src/platform/linux/sandbox/seccomp/denials.ts';
import type { PathRule } from '../../../../src/platform/linux/sandbox/landlock/landlock.ts';
import type { Place } from '../../../../src/platform/linux/sandbox/landlock/path-walk.ts';
import { fileAccessOf } from '../../../../src/platform/linux/sandbox/seccomp/watched-calls.ts';

const rules: PathRule[] = [
  { path: '/usr', access: 'execute' },
  { path: '/etc/hosts', access: 'read' },
  { path: '/scope', access: 'write' },
  { path: '/dev/null', access: 'device' },
];

function place(path: string, exists = true, parentExists = true): Place {
  return { path, parent: path.slice(0, path.lastIndexOf('/')) || '/', exists, parentExists };
}

const big = (...values: number[]) => values.map((value) => BigInt.asUintN(64, BigInt(value)));
const CWD = -100;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

describe('the file access of a call', () => {
  it.each([
    [
      'open',
      big(16, O_RDONLY),
      { kind: 'open', writes: false, creates: false, exclusive: false, path: { address: 16n, follow: true } },
    ],
    ['openat', big(CWD, 16, O_WRONLY), { kind: 'open', writes: true, path: { address: 16n, follow: true } }],
    [
      'openat',
      big(7, 16, O_NOFOLLOW),
      { kind: 'open', path: { address: 16n, descriptor: 7, follow: false } },
    ],
    ['openat', big(CWD, 16, O_RDONLY | O_TRUNC), { kind: 'open', writes: true }],
    [
      'openat',
      big(CWD, 16, O_WRONLY | O_CREAT | O_EXCL),
      { kind: 'open', creates: true, exclusive: true, path: { address: 16n, follow: false } },
    ],
    ['openat', big(CWD, 16, 0o20200002), { kind: 'make-unnamed' }],
    ['openat', big(CWD, 16, 0o10000000), undefined],
    ['creat', big(16, 0o644), { kind: 'open', writes: true, creates: true }],
    ['symlinkat', big(1, 7, 16), { kind: 'make', path: { address: 16n, descriptor: 7, follow: false } }],
    ['unlinkat', big(CWD, 16, 0x200), { kind: 'remove', path: { address: 16n, follow: false } }],
    [
      'renameat2',
      big(CWD, 16, 7, 32, 0),
      { kind: 'rename', path: { address: 16n }, to: { address: 32n, descriptor: 7 } },
    ],
    [
      'linkat',
      big(CWD, 16, CWD, 32, 0x400),
      { kind: 'link', path: { address: 16n, follow: true }, to: { address: 32n, follow: false } },
    ],
    ['linkat', big(5, 16, CWD, 32, 0x1000), undefined],
    ['execveat', big(5, 16, 0, 0, 0x1000), undefined],
    ['execve', big(16, 0, 0), { kind: 'execute', path: { address: 16n, follow: true } }],
    ['mount', big(1, 2, 3), undefined],
  ] as const)('%s', (call, values, expected) => {
    expect([fileAccessOf(call, values)]).toMatchObject([expected]);
  });
});

describe('what the rules deny', () => {
  const open = (path: Place, flags: number) => {
    const access = fileAccessOf('openat', big(CWD, 0, flags));
    return access === undefined ? undefined : denialOf(rules, access, path, undefined);
  };
  const other = (
    call: 'unlink' | 'mkdir' | 'rename' | 'link' | 'execve' | 'truncate',
    path: Place,
    to?: Place,
  ) => {
    const access = fileAccessOf(call, big(0, 0, 0));
    return access === undefined ? undefined : denialOf(rules, access, path, to);
  };

  it('allows what a rule grants', () => {
    expect(open(place('/usr/lib/x'), O_RDONLY)).toBeUndefined();
    expect(open(place('/etc/hosts'), O_RDONLY)).toBeUndefined();
    expect(open(place('/scope/x'), O_WRONLY)).toBeUndefined();
    expect(open(place('/scope/new', false), O_WRONLY | O_CREAT)).toBeUndefined();
    expect(open(place('/dev/null'), O_WRONLY)).toBeUndefined();
    expect(other('execve', place('/usr/bin/x'))).toBeUndefined();
    expect(other('execve', place('/scope/x'))).toBeUndefined();
    expect(other('rename', place('/scope/x'), place('/scope/y', false))).toBeUndefined();
  });

  it('denies the rest, and names the line that would allow it', () => {
    expect(open(place('/etc/shadow'), O_RDONLY)).toEqual({
      operation: 'read',
      target: '/etc/shadow',
      allow: '"sandbox": {"read": ["/etc/shadow"]}',
    });
    expect(open(place('/usr/x'), O_WRONLY)).toMatchObject({
      operation: 'write',
      allow: '"sandbox": {"write": ["/usr/x"]}',
    });
    expect(open(place('/home/new "one"', false), O_WRONLY | O_CREAT)).toMatchObject({
      operation: 'create',
      target: '/home/new "one"',
      allow: '"sandbox": {"write": ["/home"]}',
    });
    expect(open(place('/scope2/x'), O_RDONLY)).toMatchObject({ operation: 'read' });
    expect(other('unlink', place('/usr/x'))).toMatchObject({
      operation: 'delete',
      allow: '"sandbox": {"write": ["/usr"]}',
    });
    expect(other('mkdir', place('/usr/x', false))).toMatchObject({ operation: 'create' });
    expect(other('truncate', place('/etc/hosts'))).toMatchObject({ operation: 'write' });
    expect(other('execve', place('/etc/hosts'))).toMatchObject({
      operation: 'execute',
      allow: '"sandbox": {"read": ["/etc/hosts"]}',
    });
    expect(other('rename', place('/scope/x'), place('/home/x', false))).toMatchObject({
      operation: 'rename',
      target: '/home/x',
    });
    expect(other('link', place('/home/x'), place('/scope/x', false))).toMatchObject({
      operation: 'link',
      target: '/home/x',
    });
  });

  it('names no line if none would allow it', () => {
    expect(open(place('/proc/7/oom_score_adj'), O_WRONLY)).toEqual({
      operation: 'write',
      target: '/proc/7/oom_score_adj',
    });
  });

  it('ignores calls that fail anyway', () => {
    expect(open(place('/dev/tty'), O_WRONLY)).toBeUndefined();
    expect(open(place('/home/none', false), O_RDONLY)).toBeUndefined();
    expect(open(place('/home/no/where', false, false), O_WRONLY | O_CREAT)).toBeUndefined();
    expect(open(place('/home/there'), O_WRONLY | O_CREAT | O_EXCL)).toBeUndefined();
    expect(other('mkdir', place('/home'))).toBeUndefined();
    expect(other('unlink', place('/home/none', false))).toBeUndefined();
    expect(other('link', place('/home/x'), place('/scope/there'))).toBeUndefined();
  });

  it('names sockets', () => {
    expect(socketDenial(1)).toMatchObject({
      operation: 'unix-socket',
      allow: '"sandbox": {"unix_sockets": true}',
    });
    expect(socketDenial(2)).toMatchObject({ operation: 'network', allow: '"sandbox": {"network": true}' });
    expect(socketDenial(17)).toEqual({ operation: 'network', target: 'a socket of family 17' });
  });
});
