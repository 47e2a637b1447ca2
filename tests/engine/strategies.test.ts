import { expect, it } from 'vitest';
import { tryStrategies } from '../../src/engine/acting/strategies.ts';
import type { Act } from '../../src/engine/acting/attempt.ts';
import { unverified } from '../../src/engine/evidence/evidence.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { RECEIPT } from '../commands/samples.ts';

const ACT: Act = {
  kind: 'expand',
  run: async () => ({ accepted: true, delivered: true, via: 'test' }),
  judge: () => unverified([], false),
};

it.each([
  ['sent its act', true],
  ['was not offered', false],
])('an act that the second way finds done was delivered if the first way %s', async (_, delivered) => {
  const already: Receipt = { ...RECEIPT, evidence: ['already'], via: 'nothing was sent', delivered: false };
  const answers: (() => Receipt)[] = [
    () => {
      throw new DeskterityError(delivered ? 'ACTION_FAILED' : 'ACTION_NOT_SUPPORTED', 'It did not open.', {
        suggestion: 'Look.',
        delivered,
        ...(delivered ? { result: { ...RECEIPT, effect: 'no_op', retry_safe: true } } : {}),
      });
    },
    () => already,
  ];
  const ways = (['accessibility', 'pointer'] as const).map((backend) => ({ backend, act: () => ACT }));
  const receipt = await tryStrategies({ command: 'expand', mode: undefined, strategies: ways }, async () => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error('It was tried too often.');
    return answer();
  });
  expect(receipt).toMatchObject({ evidence: ['already'], delivered });
});
