import { describe, expect, it } from 'vitest';
import { principalOf, type PrincipalParts } from '../../../../src/surfaces/mcp/tasks/principal.ts';
import { READING_ONLY } from '../../../../src/model/policy/verdict.ts';

const FOLDER = { given: '/home/ada/web', path: '/home/ada/web', device: '1', inode: '2' };
const PARTS = {
  caller: { cwd: '/home/ada', environment: {}, fixedFolder: FOLDER },
  options: { toolsets: ['core', 'windows'], isReadOnly: false, structured: undefined, session: undefined },
  owner: 'ada',
  kind: 'session',
} as const satisfies PrincipalParts;

describe('whoever may take over a task', () => {
  it('is the same client that connects in the same way', () => {
    const options = { ...PARTS.options, toolsets: ['windows', 'core', 'core'] };
    expect(principalOf({ ...PARTS, options })).toBe(principalOf(PARTS));
  });

  it.each<[string, Partial<PrincipalParts>]>([
    ['another kind of connection', { kind: 'pipe' }],
    ['another owner', { owner: 'bob' }],
    ['no owner', { owner: undefined }],
    ['another folder', { caller: { ...PARTS.caller, cwd: '/home' } }],
    [
      'another scope',
      { caller: { ...PARTS.caller, environment: { DESKTERITY_SANDBOX_SCOPE: '/home/ada/api' } } },
    ],
    [
      'another scope by its older name',
      { caller: { ...PARTS.caller, environment: { AHMA_SANDBOX_SCOPE: '/' } } },
    ],
    [
      'another folder in the place of its scope',
      { caller: { ...PARTS.caller, fixedFolder: { ...FOLDER, inode: '3' } } },
    ],
    ['other toolsets', { options: { ...PARTS.options, toolsets: ['core'] } }],
    ['more toolsets', { options: { ...PARTS.options, toolsets: ['core', 'windows', 'operations'] } }],
    ['only reading', { caller: { ...PARTS.caller, environment: READING_ONLY } }],
    ['another session', { options: { ...PARTS.options, session: 'x' } }],
  ])('is not one with %s', (_, change) => {
    expect(principalOf({ ...PARTS, ...change })).not.toBe(principalOf(PARTS));
  });
});
