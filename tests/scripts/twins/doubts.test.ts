import { describe, expect, it } from 'vitest';
import type { Act } from '../../../scripts/proof/twins/act/act.ts';
import type { Difference } from '../../../scripts/proof/twins/look/compare.ts';
import { triedAgain } from '../../../scripts/proof/twins/run/doubts.ts';
import type { Trial } from '../../../scripts/proof/twins/run/trial.ts';

const NONE = { only: [], other: [] };
const same: Difference = { tree: NONE, windows: NONE, files: NONE, picture: undefined };

function differing(...lines: string[]): Difference {
  return { ...same, tree: { only: lines, other: [] } };
}

function actOf(kind: Act['kind']): Act {
  const key = { application: 'app', role: 'text', name: 'Notes', path: [0, 3] };
  return { kind, target: { key, isEditable: false, isMultiLine: false }, more: [] };
}

function accusedOf(between: Difference): Trial {
  return {
    verdict: 'false_success',
    between,
    isOursChanged: true,
    twinDid: 'a text',
    shown: [],
    isUnchanged: false,
  };
}

/** A mouse that always does what the twin did, but for one that clicks at the start of a field, whose sides then differ by this. */
async function judged(
  kind: Act['kind'],
  between: Difference,
  atStart: Difference | undefined,
): Promise<Trial> {
  return triedAgain(accusedOf(between), {
    act: actOf(kind),
    trail: [],
    open: () => ({
      follow: async () => undefined,
      try: async (_act, { name }) => {
        const agreed: Trial = { verdict: 'agree', twinDid: 'a text', shown: [], isUnchanged: false };
        return name === 'mouse' || atStart === undefined ? agreed : { ...agreed, between: atStart };
      },
      differenceByPointing: async () => same,
      differenceByClicking: async () => same,
      end: async () => undefined,
    }),
  });
}

describe('a text that was entered, and something beside it', () => {
  it('says nothing if a mouse that clicks elsewhere in the field makes the same difference', async () => {
    const trial = await judged('set-value', differing('Back'), differing('Back', 'line 1'));
    expect(trial).toMatchObject({
      verdict: 'excluded',
      reason: 'where the field is clicked makes the same difference',
    });
  });

  it('stays accused if that makes another difference, or none', async () => {
    const [other, none] = await Promise.all([
      judged('set-value', differing('Back'), differing('line 1')),
      judged('set-value', differing('Back'), undefined),
    ]);
    expect([other.verdict, none.verdict]).toEqual(['false_success', 'false_success']);
  });

  it('is asked of no other act', async () => {
    const trial = await judged('click', differing('Back'), differing('Back'));
    expect(trial.verdict).toBe('false_success');
  });
});
