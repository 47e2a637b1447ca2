import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seatbeltProfile } from '../../../src/platform/macos/seatbelt.ts';

const confinement = {
  by: 'landlock' as const,
  scope: '/Users/alice/project',
  read: ['/Users/alice/.rustup'],
  write: ['/var/folders/zz/scope-1'],
  network: false,
  unixSockets: false,
  denyReport: false,
};

describe('a Seatbelt profile', () => {
  it('denies everything except the scope and the system', async () => {
    await expect(seatbeltProfile(confinement)).toMatchFileSnapshot('seatbelt-closed.sb');
  });

  it('allows network and sockets if requested', async () => {
    const profile = seatbeltProfile({ ...confinement, network: true, unixSockets: true });
    await expect(profile).toMatchFileSnapshot('seatbelt-open.sb');
  });

  it('uses real paths', () => {
    const profile = seatbeltProfile({
      ...confinement,
      scope: '/tmp/project',
      read: ['/etc/hosts', '/variety'],
    });
    for (const path of [
      '/private/var/folders/zz/scope-1',
      '/private/tmp/project',
      '/private/etc/hosts',
      '/variety',
    ])
      expect(profile).toContain(`(subpath "${path}")`);
    expect(profile).not.toMatch(/"\/(?:var|tmp|etc)\//);
  });

  it('keeps each statement on one line with balanced brackets, whatever the paths are', () => {
    const path = fc
      .string({ unit: 'grapheme' })
      .map((text) => `/${text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '')}`);
    fc.assert(
      fc.property(path, fc.array(path, { maxLength: 3 }), fc.boolean(), (scope, others, network) => {
        const profile = seatbeltProfile({ ...confinement, scope, read: others, write: others, network });
        for (const line of profile.trimEnd().split('\n')) {
          const outsideOfTexts = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
          expect(line).toMatch(/^\((?:version|deny|allow) .*\)$/);
          expect(outsideOfTexts.split('(').length).toBe(outsideOfTexts.split(')').length);
          expect(outsideOfTexts).not.toContain('"');
        }
      }),
    );
  });

  it('refuses a path that would end its statement', () => {
    expect(() => seatbeltProfile({ ...confinement, scope: '/a\n(allow default)' })).toThrow('cannot be used');
    expect(() => seatbeltProfile({ ...confinement, scope: 'relative' })).toThrow('cannot be used');
  });
});
