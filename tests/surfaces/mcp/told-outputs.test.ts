import { describe, expect, it } from 'vitest';
import { spelled } from '../../spelled.ts';
import { ToldOutputs } from '../../../src/surfaces/mcp/tools/told-outputs.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at} of a long build\n`).join('');
const answer = (output: string, more: object = {}) => ({
  operation_id: 'op-k3f7x2',
  status: 'running',
  output,
  ...more,
});
const NOTE = /unchanged since an earlier answer; .*operation output op-k3f7x2.* reads it again/;

describe('the output of an operation is told once', () => {
  it('by the call that starts it, then by await and status', () => {
    const told = new ToldOutputs();
    const first = answer(lines(0, 80));
    expect(told.once('own', 'run-tool', first)).toBe(first);
    const awaited = told.once('own', 'operation await', {
      operations: [answer(lines(0, 80))],
      still_running: [],
    });
    expect(spelled(awaited)).toEqual({
      operations: [{ operation_id: 'op-k3f7x2', status: 'running', left_out: [expect.stringMatching(NOTE)] }],
      still_running: [],
    });
    const status = told.once('own', 'operation status', answer(lines(0, 80), { left_out: ['lines 1 to 9'] }));
    expect(spelled(status)).toMatchObject({ left_out: ['lines 1 to 9', expect.stringMatching(NOTE)] });
    expect(status).not.toHaveProperty('output');
  });

  it('and what was written since then follows it', () => {
    const told = new ToldOutputs();
    told.once('own', 'run-tool', answer(lines(0, 80)));
    expect(told.once('own', 'operation status', answer(lines(40, 90)))).toMatchObject({
      output: lines(80, 90),
    });
    // So much was written that the earlier end is not in it.
    expect(told.once('own', 'operation status', answer(lines(500, 580)))).toMatchObject({
      output: lines(500, 580),
    });
    told.once('own', 'run-tool', answer('short'));
    expect(told.once('own', 'operation status', answer('short\nmore'))).toMatchObject({ output: '\nmore' });
  });

  it('to each session, unless it asks for the output itself', () => {
    const told = new ToldOutputs();
    const whole = answer('x'.repeat(100));
    expect(told.once('own', 'operation output', whole)).toBe(whole);
    expect(told.once('own', 'run-tool', whole)).toBe(whole);
    expect(told.once('other', 'operation status', whole)).toBe(whole);
    expect(told.once('own', 'operation output', whole)).toBe(whole);
    expect(told.once('own', 'operation status', whole)).not.toHaveProperty('output');
    expect(told.once('own', 'snapshot', { tree: {} })).toEqual({ tree: {} });
  });
});
