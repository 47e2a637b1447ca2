import * as fc from 'fast-check';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPaths } from '../../src/toolfiles/run/path-arguments.ts';
import { programPath, sandboxPlaces } from '../../src/toolfiles/run/sandbox-places.ts';
import { toolOf } from './support/tool-file.ts';

const tool = toolOf({
  name: 'tool',
  description: 'x',
  command: 'tool',
  options: [
    { name: 'out', type: 'string', description: 'x', format: 'path' },
    { name: 'text', type: 'string', description: 'x' },
  ],
  positional_args: [{ name: 'files', type: 'array', description: 'x', format: 'path' }],
});
const places = { workingDirectory: '/scope/sub', reachable: ['/scope', '/srv/data'] };

it.each([
  'a',
  './a',
  '../a',
  '..',
  '.',
  '../..a',
  'a/../../b',
  '-',
  '-rf',
  '*.ts',
  'a b',
  '~x',
  './~',
  '/etc/passwd',
  '/scope',
  '../../srv/data/x',
  'ünï',
])('allows %s', (path) => {
  expect(() => checkPaths(tool, { out: path, files: [path] }, places)).not.toThrow();
});

it.each([
  ['../../x', 'tool: out is "../../x", which leads to "/x", outside the scope.', 'Pass a path in "/scope".'],
  [
    '../../../../etc/passwd',
    'tool: out is "../../../../etc/passwd", which leads to "/etc/passwd", outside the scope.',
    'Pass a path in "/scope".',
  ],
  [
    'a/../../../scope2/x',
    'tool: out is "a/../../../scope2/x", which leads to "/scope2/x", outside the scope.',
    'Pass a path in "/scope".',
  ],
  ['', 'tool: out is "", which is not a path.', 'Omit it, or pass "." for the working directory.'],
  ['a\0b', 'tool: out is "a\\u{0}b", which contains a NUL character.', 'Remove it: no path can contain one.'],
  [
    '~/.ssh/id_rsa',
    'tool: out is "~/.ssh/id_rsa", but no shell expands "~" here.',
    'Pass a path relative to the working directory, or an absolute one.',
  ],
])('refuses %j', (path, message, suggestion) => {
  expect(() => checkPaths(tool, { out: path }, places)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message, suggestion }),
  );
});

it('checks every item of a list, and only paths', () => {
  expect(() => checkPaths(tool, { files: ['a', '../../x'] }, places)).toThrow(/files is "..\/..\/x"/);
  expect(() => checkPaths(tool, { text: '../../x' }, places)).not.toThrow();
});

it('agrees with the resolved path', () => {
  const part = fc.constantFrom('..', '.', 'a', 'scope', 'sub', '...', '..a', '');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const path = parts.join('/').replace(/^\/+/, '');
      fc.pre(path !== '');
      const target = posix.normalize(`/scope/sub/${path}`).replace(/\/$/, '') || '/';
      const isInside = ['/scope', '/srv/data'].some(
        (root) => target === root || target.startsWith(`${root}/`),
      );
      let isRefused = false;
      try {
        checkPaths(tool, { out: path }, places);
      } catch {
        isRefused = true;
      }
      expect(isRefused).toBe(!isInside);
    }),
    { numRuns: 800 },
  );
});

describe('places of the sandbox', () => {
  const home = {
    scope: '/scope',
    home: '/home/me',
    guarded: ['/home/me/.config/deskterity', '/home/me/.local/state/deskterity'],
  };

  it('makes all paths absolute; "~" and "$HOME" are the real home', () => {
    expect(
      sandboxPlaces(
        {
          read: ['~/.cargo', '$HOME/.rustup', '~', '/srv/data', 'vendor', '~/.cargo'],
          write: ['~/.cache/x'],
          scope: 'packages/app',
          network: true,
          environment: {
            pass: ['A', 'A'],
            set: { B: '~/b', C: 'file://$HOME/c,x', D: 'a~/b', E: '$HOMEX', F: '~' },
          },
        },
        home,
      ),
    ).toEqual({
      scope: '/scope/packages/app',
      read: ['/home/me/.cargo', '/home/me/.rustup', '/home/me', '/srv/data', '/scope/vendor'],
      write: ['/home/me/.cache/x'],
      network: true,
      unixSockets: false,
      denyReport: false,
      profile: undefined,
      pass: ['A'],
      set: { B: '/home/me/b', C: 'file:///home/me/c,x', D: 'a~/b', E: '$HOMEX', F: '/home/me' },
    });
  });

  it('denies what is not requested', () => {
    expect(sandboxPlaces({}, home)).toEqual({
      scope: '/scope',
      read: [],
      write: [],
      network: false,
      unixSockets: false,
      denyReport: false,
      profile: undefined,
      pass: [],
      set: {},
    });
  });

  it.each([
    '~/.config/deskterity',
    '~/.config',
    '/home',
    '/home/me/.config/deskterity/tools',
    '~/.local/state',
  ])('does not let a tool write %s, which contains trust', (path) => {
    expect(() => sandboxPlaces({ write: [path] }, home)).toThrow(
      expect.objectContaining({ code: 'TOOL_INVALID' }),
    );
    expect(() => sandboxPlaces({ read: [path] }, home)).not.toThrow();
  });

  it.each([
    ['git', 'git'],
    ['./scripts/x.sh', '/scope/scripts/x.sh'],
    ['scripts/x.sh', '/scope/scripts/x.sh'],
    ['/usr/bin/git', '/usr/bin/git'],
    ['~/bin/x', '/home/me/bin/x'],
  ])('starts %s as %s', (command, expected) => {
    expect(programPath(command, home)).toBe(expected);
  });
});
