import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayName, displayTag, projectName } from '../../src/model/terminals/session-name.ts';
import { projectHash, sessionKey } from '../../src/terminal/session-key.ts';
import { deriveTag, sanitiseTag } from '../../src/model/terminals/session-name.ts';
import { parseSessionTitle, sessionTitle } from '../../src/terminal/windows/terminal-title.ts';

const identity = fc.record({
  projectPath: fc.option(
    fc.string().map((text) => `/${text}`),
    { nil: undefined },
  ),
  tag: fc.string({ minLength: 1, unit: 'binary' }),
});

describe('a session', () => {
  it('has the SHA-256 of its project, or NO_PROJECT', () => {
    // printf %s /srv/app | sha256sum
    expect(projectHash('/srv/app')).toBe(createHash('sha256').update('/srv/app').digest('hex'));
    expect(projectHash('/srv/app')).toMatch(/^[0-9a-f]{64}$/);
    expect(projectHash(undefined)).toBe('NO_PROJECT');
  });

  it('has a unique key', () => {
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const isSame = one.projectPath === other.projectPath && one.tag === other.tag;
        expect(sessionKey(one)).toMatch(/^[0-9a-f]{32}$/);
        expect(sessionKey(one) === sessionKey(other)).toBe(isSame);
      }),
    );
    expect(sessionKey({ projectPath: '/a', tag: 'b' })).toBe(sessionKey({ projectPath: '/a', tag: 'b' }));
  });

  it('is displayed by project and tag', () => {
    expect(displayName({ projectPath: '/srv/MyProject', tag: 'api' })).toBe('🤖💥 MyProject / api');
    expect(displayName({ projectPath: undefined, tag: 'task_tag' })).toBe('🤖💥 _global_ / task_tag');
    expect(displayTag({ projectPath: '/srv/MyProject/', tag: 'api' })).toBe('MyProject / api');
    expect(displayTag({ projectPath: undefined, tag: 'api' })).toBe('api');
    expect(projectName('/')).toBe('_root_project_');
  });

  it('begins its name with the robot and the explosion in UTF-8', () => {
    const name = displayName({ projectPath: undefined, tag: 'x' });
    expect(Buffer.from(name).subarray(0, 8).toString('hex')).toBe('f09fa496f09f92a5');
  });

  it('makes hidden characters in its name visible', () => {
    const tag = `a\u202Eb${'x'.repeat(200)}`;
    const name = displayName({ projectPath: '/srv/a\nb', tag });
    expect(name).toContain(String.raw`a\nb / a\u{202E}b`);
    expect(name.length).toBeLessThan(160);
  });
});

describe('a title', () => {
  it('has the expected form', () => {
    const title = sessionTitle(
      { projectPath: '/srv/app', tag: 'a b::c' },
      { ttyPath: '/dev/pts/3', pid: 12 },
    );
    expect(title).toBe(
      `::TERMINATOR_SESSION::PROJECT_HASH=${projectHash('/srv/app')}::TAG=a%20b%3A%3Ac::TTY_PATH=%2Fdev%2Fpts%2F3::PID=12::`,
    );
  });

  it('is parsed back, whatever a window adds around it', () => {
    fc.assert(
      fc.property(
        identity,
        fc.string(),
        fc.nat(),
        fc.constantFrom('', ' — Konsole', '* ', '::'),
        (one, ttyPath, pid, around) => {
          const title = sessionTitle(one, { ttyPath, pid });
          expect(title).not.toMatch(/[\s\p{Cc}]/u);
          expect(parseSessionTitle(`${around}${title}${around}`)).toEqual({
            projectHash: projectHash(one.projectPath),
            tag: one.tag.replaceAll(/\p{Cs}/gu, '\u{FFFD}'),
            ttyPath,
            pid,
          });
        },
      ),
    );
  });

  it.each([
    '',
    '::TERMINATOR_SESSION::',
    '::TERMINATOR_SESSION::PROJECT_HASH=abc::TAG=a::TTY_PATH=b::PID=1::',
    '::TERMINATOR_SESSION::PROJECT_HASH=NO_PROJECT::TAG=%E0%A4::TTY_PATH=b::PID=1::',
    '::TERMINATOR_SESSION::PROJECT_HASH=NO_PROJECT::TAG=a::TTY_PATH=%::PID=1::',
    '::TERMINATOR_SESSION::PROJECT_HASH=NO_PROJECT::TAG=::TTY_PATH=b::PID=1::',
    '::TERMINATOR_SESSION::PROJECT_HASH=NO_PROJECT::TAG=a::TTY_PATH=b::PID=x::',
  ])('of no session is rejected: %s', (title) => {
    expect(parseSessionTitle(title)).toBeUndefined();
  });

  it('of any other kind is harmless', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(parseSessionTitle(text)).toBeUndefined();
      }),
    );
  });
});

describe('a derived tag', () => {
  it.each([
    ['/srv/my-app_2', 'my-app_2'],
    ['/srv/my app.js', 'my_app_js'],
    ['/srv/app/', 'app'],
    ['/srv/app///', 'app'],
    ['/', '_root_project_'],
    ['///', '_root_project_'],
    ['/srv/über', '_ber'],
    ['/srv/😀', '__'],
    [`/srv/${'x'.repeat(100)}`, 'x'.repeat(64)],
  ])('of %s is %s', (path, tag) => {
    expect(deriveTag(path)).toBe(tag);
  });

  it('of an empty path is the default', () => {
    expect(sanitiseTag('')).toBe('_default_tag_');
  });

  it('is always safe and idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const tag = deriveTag(`/${text}`);
        expect(tag).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(sanitiseTag(tag)).toBe(tag);
      }),
    );
  });
});
