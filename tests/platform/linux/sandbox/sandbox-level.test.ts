import { describe, expect, it } from 'vitest';
import { heldCapabilities } from '../../../../src/platform/linux/sandbox/capabilities.ts';
import { landlockFinding } from '../../../../src/platform/linux/sandbox/levels/sandbox-level.ts';

const problem = {
  message: 'The kernel refused.',
  suggestion: 'Do something.',
  detail: 'landlock_add_rule: EINVAL',
};

describe('what a machine can confine with', () => {
  it.each([
    [{ landlockAbi: -38, landlockError: 'ENOSYS' }, 'has no Landlock', 'CONFIG_SECURITY_LANDLOCK'],
    [{ landlockAbi: -95, landlockError: 'EOPNOTSUPP' }, 'switched off', 'lsm='],
    [{ landlockAbi: -1, landlockError: 'EPERM' }, 'forbidden to this process (EPERM)', 'seccomp profile'],
    [{ landlockAbi: 4 }, 'ABI 4 cannot keep programs from sending signals', '6.12'],
    [{ landlockAbi: 7 }, 'landlock_add_rule: EINVAL', 'Do something.'],
  ])('%j: says why not, and what to do', (report, reason, instruction) => {
    const finding = landlockFinding({ ...report, isConfinedAlready: false, problem });
    expect(finding).toEqual({
      works: false,
      reason: expect.stringContaining(reason),
      instruction: expect.stringContaining(instruction),
    });
  });

  it('says that sandboxes are in each other too deep', () => {
    const deep = { ...problem, detail: 'landlock_restrict_self: E2BIG' };
    expect(landlockFinding({ landlockAbi: 7, isConfinedAlready: true, problem: deep })).toMatchObject({
      works: false,
      reason: expect.stringContaining('as many sandboxes as the kernel allows'),
    });
  });

  it('works where nothing has gone wrong', () => {
    expect(landlockFinding({ landlockAbi: 7, isConfinedAlready: false })).toEqual({ works: true });
  });
});

it('names the capabilities that a status tells of', () => {
  const held = (mask: string) => heldCapabilities(`Name:\tx\nCapInh:\tffff\nCapPrm:\t${mask}\nCapEff:\t0\n`);
  expect(held('0000000000000000')).toEqual([]);
  expect(held('0000000000000402')).toEqual(['CAP_DAC_OVERRIDE', 'CAP_NET_BIND_SERVICE']);
  expect(held('0000004000000000')).toEqual(['capability 38']);
});
