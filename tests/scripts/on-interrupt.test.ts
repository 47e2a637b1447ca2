import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { isInterrupted, onInterrupt } from '../../scripts/proof/on-interrupt.ts';

class Program extends EventEmitter {
  readonly codes: number[] = [];

  exit(code: number): void {
    this.codes.push(code);
    this.emit('ended');
  }
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s cleans up everything that is open, and ends the program with %i', async (signal, code) => {
  const program = new Program();
  const ended = new Promise((resolve) => program.once('ended', resolve));
  const done: string[] = [];
  onInterrupt(() => Promise.reject(new Error('it is gone')), program);
  onInterrupt(async () => done.push('program'), program);
  onInterrupt(async () => done.push('folder'), program);
  const forget = onInterrupt(async () => done.push('forgotten'), program);
  forget();
  expect(isInterrupted(program)).toBe(false);
  program.emit(signal);
  program.emit(signal);
  expect(isInterrupted(program)).toBe(true);
  await ended;
  expect(program.codes).toEqual([code]);
  expect(done).toEqual(['folder', 'program']);
});

it('leaves signals alone when nothing is open', () => {
  const program = new Program();
  onInterrupt(async () => undefined, program)();
  expect(program.listenerCount('SIGINT') + program.listenerCount('SIGTERM')).toBe(0);
});
