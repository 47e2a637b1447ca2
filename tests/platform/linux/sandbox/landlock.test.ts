import { describe, expect, it } from 'vitest';
import { confinementPlan } from '../../../../src/platform/linux/sandbox/confinement-plan.ts';
import { handledAccess, rightsOf } from '../../../../src/platform/linux/sandbox/landlock/landlock.ts';
import type { PathAccess } from '../../../../src/platform/linux/sandbox/landlock/landlock.ts';

const MAKE_DEVICES = (1n << 6n) | (1n << 11n);
const MAKE_SOCKET = 1n << 9n;
const CONTROL_DEVICE = 1n << 15n;
const OF_FILES = 0b1100_0000_0000_0111n;
const every: readonly PathAccess[] = ['read', 'execute', 'write', 'device'];

describe('the file rules', () => {
  it('never allow creating devices', () => {
    for (const access of every)
      for (const kind of ['folder', 'file', 'device'] as const)
        for (const sockets of [true, false]) expect(rightsOf(access, kind, sockets) & MAKE_DEVICES).toBe(0n);
  });

  it('grant files no folder rights, which the kernel would refuse', () => {
    for (const access of every)
      for (const kind of ['file', 'device'] as const)
        expect(rightsOf(access, kind, true) & ~OF_FILES).toBe(0n);
  });

  it('allow creating sockets if sockets are allowed, and controlling named devices', () => {
    expect(rightsOf('write', 'folder', false) & MAKE_SOCKET).toBe(0n);
    expect(rightsOf('write', 'folder', true) & MAKE_SOCKET).toBe(MAKE_SOCKET);
    expect(rightsOf('write', 'folder', true) & CONTROL_DEVICE).toBe(0n);
    expect(rightsOf('write', 'file', true) & CONTROL_DEVICE).toBe(0n);
    expect(rightsOf('write', 'device', true) & CONTROL_DEVICE).toBe(CONTROL_DEVICE);
    expect(rightsOf('read', 'device', true) & CONTROL_DEVICE).toBe(0n);
  });

  it('handle all rights of the kernel: 16, and path sockets from ABI 9 on', () => {
    const closed = { network: false, unixSockets: false };
    expect(handledAccess(6, closed)).toEqual({ files: 0xffffn, network: 3n, scoped: 3n });
    expect(handledAccess(8, closed).files).toBe(0xffffn);
    expect(handledAccess(9, closed).files).toBe(0x1ffffn);
    expect(handledAccess(9, { network: true, unixSockets: true })).toEqual({
      files: 0xffffn,
      network: 0n,
      scoped: 2n,
    });
  });

  it('are the system, the readable and the writable paths', () => {
    const plan = confinementPlan(
      {
        by: 'landlock',
        scope: '/s',
        read: ['/r'],
        write: ['/w'],
        network: true,
        unixSockets: false,
        denyReport: true,
      },
      [{ path: '/usr', access: 'execute' }],
    );
    expect(plan).toEqual({
      paths: [
        { path: '/usr', access: 'execute' },
        { path: '/r', access: 'execute' },
        { path: '/s', access: 'write' },
        { path: '/w', access: 'write' },
      ],
      network: true,
      unixSockets: false,
      denyReport: true,
    });
  });
});
