import { expect, it } from 'vitest';
import { failureOf } from '../../src/engine/acting/receipt.ts';

it('an error names what failed, not how many changes were left out', () => {
  const evidence = ['a fresh read shows "75" instead of "76"'];
  const error = failureOf(
    {
      target: { ref: '@e1', role: 'cell' },
      effect: 'partial',
      evidence: [...evidence, '7 more changes are not listed'],
      via: 'keyboard',
      delivered: true,
      retry_safe: false,
      cursor: 's1',
      duration_ms: 1,
    },
    evidence,
  );
  expect(error?.message).toContain('a fresh read shows "75" instead of "76"');
});
