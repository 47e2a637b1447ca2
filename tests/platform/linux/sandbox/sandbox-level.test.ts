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
    [{ landlockAbi: -95, landlockError: 'EOPNOTSUPP' }, 'disabled', 'lsm='],
    [{ landlockAbi: -1, landlockError: 'EPERM' }, 'may not use Landlock (EPERM)', 'seccomp profile'],
    [{ landlockAbi: 4 }, 'ABI 4 cannot prevent programs from sending signals', '6.12'],
    [{ landlockAbi: 7 }, 'landlock_add_rule: EINVAL', 'Do something.'],
  ])('%j: reports why not, and what to do', (report, reason, instruction) => {
    const finding = landlockFinding({ ...report, isConfinedAlready: false, problem });
    expect(finding).toEqual({
      works: false,
      reason: expect.stringContaining(reason),
      instruction: expect.stringContaining(instruction),
    });
  });

  it('reports sandboxes that are nested too deeply', () => {
    const deep = { ...problem, detail: 'landlock_restrict_self: E2BIG' };
    expect(landlockFinding({ landlockAbi: 7, isConfinedAlready: true, problem: deep })).toMatchObject({
      works: false,
      reason: expect.stringContaining('maximum number of nested sandboxes'),
    });
  });

  it('works without errors', () => {
    expect(landlockFinding({ landlockAbi: 7, isConfinedAlready: false })).toEqual({ works: true });
  });
});

it('names the capabilities in a status', () => {
  const held = (mask: string) => heldCapabilities(`Name:\tx\nCapInh:\tffff\nCapPrm:\t${mask}\nCapEff:\t0\n`);
  expect(held('0000000000000000')).toEqual([]);
  expect(held('0000000000000402')).toEqual(['CAP_DAC_OVERRIDE', 'CAP_NET_BIND_SERVICE']);
  expect(held('0000004000000000')).toEqual(['capability 38']);
});
