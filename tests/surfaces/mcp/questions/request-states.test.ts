import { expect, it } from 'vitest';
import {
  digestOf,
  RequestStates,
  type StatedCall,
} from '../../../../src/surfaces/mcp/questions/request-states.ts';

const CALL: StatedCall = { method: 'tools/call', name: 'paint', input: { a: 1 }, principal: undefined };
const PROGRESS = { round: 1, asked: {}, answers: {} };

it('expires', () => {
  let now = 0;
  const states = new RequestStates(() => now);
  const [one, two] = [states.issue(CALL, PROGRESS), states.issue(CALL, PROGRESS)];
  now = 299_999;
  expect(states.redeem(one, CALL)).toMatchObject(PROGRESS);
  now = 300_000;
  expect(() => states.redeem(two, CALL)).toThrow('has expired');
  expect(() => states.redeem(one, CALL)).toThrow('has expired');
});

it('belongs to one principal', () => {
  const states = new RequestStates();
  const sealed = states.issue({ ...CALL, principal: 'ann' }, PROGRESS);
  for (const principal of ['bob', undefined])
    expect(() => states.redeem(sealed, { ...CALL, principal })).toThrow('belongs to another call');
  expect(states.redeem(sealed, { ...CALL, principal: 'ann' })).toMatchObject(PROGRESS);
});

it('never forgets a used state that is still valid', () => {
  const states = new RequestStates(() => 0);
  const used = Array.from({ length: 10_000 }, () => states.issue(CALL, PROGRESS));
  for (const sealed of used) states.redeem(sealed, CALL);
  expect(() => states.redeem(states.issue(CALL, PROGRESS), CALL)).toThrow('Try again later');
  expect(() => states.redeem(used[0], CALL)).toThrow('has been used');
});

it('digests what differs differently', () => {
  const values = [
    {},
    [],
    null,
    'null',
    { a: 1 },
    { a: '1' },
    [['a', 1]],
    { a: [1] },
    { a: { b: 1 } },
    JSON.parse('{"__proto__": 1}'),
    { 1: 'x', a: 'y' },
  ];
  expect(new Set(values.map(digestOf)).size).toBe(values.length);
  expect(digestOf({ b: 1, a: { d: 1, c: 2 } })).toBe(digestOf({ a: { c: 2, d: 1 }, b: 1 }));
});
