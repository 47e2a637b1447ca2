import { expect, it } from 'vitest';
import { endIfLate } from '../../../../src/platform/linux/display/waiting.ts';

function watching() {
  const ended: string[] = [];
  let begin: (watch: string) => void = () => undefined;
  const begun = new Promise<string>((resolve) => {
    begin = resolve;
  });
  return { begin, begun, ended, end: (watch: string): void => void ended.push(watch) };
}

it('ends what comes when nobody waits any more', async () => {
  const { begin, begun, ended, end } = watching();
  const late = endIfLate(begun, () => Promise.reject(new Error('too late')), end);
  await expect(late).rejects.toThrow('too late');
  expect(ended).toEqual([]);
  begin('watch');
  await begun;
  expect(ended).toEqual(['watch']);
});

it('leaves alone what comes in time, and ends nothing that failed', async () => {
  const { begin, begun, ended, end } = watching();
  begin('watch');
  expect(await endIfLate(begun, (work) => work, end)).toBe('watch');
  const failing = Promise.reject(new Error('the display has gone'));
  await expect(endIfLate(failing, (work) => work, end)).rejects.toThrow('the display has gone');
  expect(ended).toEqual([]);
});
