import { describe, expect, it } from 'vitest';
import { formatMatchRule } from '../../../../src/platform/linux/dbus/marshalling/match-rule.ts';

describe('formatMatchRule', () => {
  it('writes all keys', () => {
    expect(
      formatMatchRule({
        type: 'signal',
        sender: ':1.2',
        interface: 'a.b',
        member: 'C',
        path: '/d',
        args: { 0: 'x', 3: 'y' },
      }),
    ).toBe("type='signal',sender=':1.2',interface='a.b',member='C',path='/d',arg0='x',arg3='y'");
  });

  it('escapes apostrophes', () => {
    expect(formatMatchRule({ args: { 0: "it's" } })).toBe(String.raw`arg0='it'\''s'`);
  });

  it('is empty for an empty rule', () => {
    expect(formatMatchRule({})).toBe('');
  });
});
