import { describe, expect, it } from 'vitest';
import { missingEntries, platformOf } from '../../scripts/complete-lock.mjs';

describe('platform packages missing from the lock', () => {
  it.each([
    ['@oxlint/binding-linux-arm64-musl', { os: ['linux'], cpu: ['arm64'], libc: ['musl'] }],
    ['@oxlint/binding-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
    ['@oxlint/binding-win32-x64-msvc', { os: ['win32'], cpu: ['x64'] }],
    ['@oxlint-tsgolint/darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
    ['@oxc-parser/binding-android-arm-eabi', { os: ['android'], cpu: ['arm'] }],
  ])('%s is for the platform in its name', (name, platform) => {
    expect(platformOf(name)).toEqual(platform);
  });

  it('are added with version and platform; what is there stays', () => {
    const packages = {
      '': {},
      'node_modules/tool': {
        dev: true,
        optionalDependencies: { '@t/linux-x64-gnu': '1.0.0', '@t/darwin-x64': '1.0.0' },
      },
      'node_modules/@t/linux-x64-gnu': { version: '1.0.0' },
    };
    expect(missingEntries(packages)).toEqual({
      'node_modules/@t/darwin-x64': {
        version: '1.0.0',
        cpu: ['x64'],
        dev: true,
        optional: true,
        os: ['darwin'],
      },
    });
  });

  it('whose name contains no platform are refused', () => {
    expect(() => missingEntries({ '': { optionalDependencies: { fsevents: '2.3.3' } } })).toThrow(
      /contains no platform/,
    );
  });
});
