import { expect, it } from 'vitest';
import fill from '../../src/commands/interaction/fill.ts';
import { stepLine } from '../../src/commands/steps/step-line.ts';
import { outlineReceipt } from '../../src/registry/outline-parts.ts';
import { RECEIPT } from '../commands/samples.ts';

const EVIDENCE = ['window opened: "\u{202E}live\u{2066}"'];
const SHOWN = String.raw`window opened: "\u{202E}live\u{2066}"`;
const unused = (): never => {
  throw new Error('A receipt needs no outline of its own.');
};

it('shows characters that change the direction of text in evidence as escapes', () => {
  expect(outlineReceipt({ ...RECEIPT, evidence: EVIDENCE })).toContain(SHOWN);
  const command = {
    name: 'click',
    kind: 'act',
    isReadOnly: false,
    group: 'interaction',
    keys: [],
    targetKeys: [],
  } as const;
  const line = stepLine(
    { ...command, accepts: unused, missingField: unused, outline: unused, exitCode: () => 0 },
    { ...RECEIPT, evidence: EVIDENCE },
  );
  expect(line).toContain(SHOWN);
  const { target, effect } = RECEIPT;
  const fields = [{ target, effect, evidence: EVIDENCE }];
  expect(fill.outline?.({ fields, effect: 'confirmed', duration_ms: 1 })).toContain(SHOWN);
});
