import { constantFrom, assert, integer, oneof, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeConfiguration, SETTINGS } from '../../src/model/configuration/config.ts';
import { tighten } from '../../src/model/configuration/tighten.ts';

describe('what a project may set', () => {
  it('counts only where it allows less', () => {
    const user = completeConfiguration({
      sandbox: { mode: 'off' },
      operations: { output_mb: 10, answer_tokens: 1000 },
    });
    expect(
      tighten(user, [
        { key: 'sandbox.mode', value: 'bubblewrap' },
        { key: 'operations.output_mb', value: 5 },
        { key: 'operations.answer_tokens', value: 50_000 },
        { key: 'sandbox.environment', value: 'AWS_*' },
        { key: 'sandbox.scope', value: '/' },
        { key: 'tools.folder', value: '/tmp/tools' },
        { key: '__proto__', value: 'x' },
      ]),
    ).toEqual({
      variables: { DESKTERITY_SANDBOX_MODE: 'auto', DESKTERITY_OPERATIONS_OUTPUT_MB: '5' },
      applied: ['sandbox.mode', 'operations.output_mb'],
      ignored: [
        'operations.answer_tokens',
        'sandbox.environment',
        'sandbox.scope',
        'tools.folder',
        '__proto__',
      ],
    });
  });

  it('the strictest of several projects counts', () => {
    const wanted = [40, 20, 30].map((value) => ({ key: 'operations.output_mb', value }));
    expect(tighten(completeConfiguration(), wanted)).toEqual({
      variables: { DESKTERITY_OPERATIONS_OUTPUT_MB: '20' },
      applied: ['operations.output_mb'],
      ignored: [],
    });
  });

  it('never turns a sandbox off, and never raises a limit, whatever is set', () => {
    const key = constantFrom(...SETTINGS.map((setting) => setting.key));
    const value = oneof(constantFrom('off', 'auto', 'landlock', '', true, false), integer());
    assert(
      property(key, value, (name, given) => {
        const { variables } = tighten(completeConfiguration(), [{ key: name, value: given }]);
        for (const [variable, text] of Object.entries(variables)) {
          expect(variable).toMatch(/^DESKTERITY_OPERATIONS_(?:OUTPUT_MB|ANSWER_TOKENS)$/);
          expect(Number(text)).toBeLessThan(2000);
        }
      }),
    );
  });
});
