import { expect, it } from 'vitest';
import { loadKernel } from '../../../../src/platform/linux/sandbox/libc-library.ts';
import { OperationLedger } from '../../../../src/platform/linux/sandbox/processes/operation-ledger.ts';
import { operationMarks } from '../../../../src/platform/linux/sandbox/processes/operation-mark.ts';

const MANY = 70;

const marks = operationMarks(await loadKernel());
const ledger = new OperationLedger({ marks }, () => undefined);

async function begin(operationId: string): Promise<void> {
  ledger.begin(operationId, undefined);
  await marks.during(operationId, () => Promise.resolve());
}

async function endMany(name: string): Promise<void> {
  for (let index = 0; index < MANY; index += 1) {
    await begin(`${name}-${index}`);
    ledger.end(`${name}-${index}`);
  }
}

it('remembers the marks of recently ended operations, but not of all', async () => {
  await begin('op-first');
  ledger.end('op-first');
  expect(marks.knows('op-first')).toBe(true);
  await endMany('later');
  expect(marks.knows('op-first')).toBe(false);
  expect(marks.knows(`later-${MANY - 1}`)).toBe(true);
});

it('never forgets the mark of one whose next step is running', async () => {
  await begin('op-again');
  ledger.end('op-again');
  await begin('op-again');
  await endMany('meanwhile');
  expect(marks.knows('op-again')).toBe(true);
});
