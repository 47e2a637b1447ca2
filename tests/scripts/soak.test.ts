import { describe, expect, it } from 'vitest';
import { BOUNDS, courseOf, type Bound, type Sample } from '../../scripts/proof/soak/judge.ts';

function bound(name: string): Bound {
  const found = BOUNDS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no bound ${name}`);
  return found;
}

function course(name: string, values: readonly number[]) {
  return courseOf(
    bound(name),
    values.map((value): Sample => ({ [name]: value })),
  );
}

/** Applications that live and end between two measurements in a run of 60 s. */
const LIVES_BETWEEN = 4;
const SAMPLES = 7;
const MB = 1024 * 1024;

function leaking(from: number, each: number): number[] {
  return Array.from({ length: SAMPLES }, (_none, index) => from + index * LIVES_BETWEEN * each);
}

describe('growth', () => {
  it.for([
    'descriptors',
    'threads',
    'children',
    'members',
    'resources',
    'emitters',
    'matchRules',
    'busConnections',
    'files',
    'temporary',
  ])('of one in each life of an application is found: %s', (name) => {
    expect(course(name, leaking(40, 1)).problem).toMatch(/^grew by \d+/);
  });

  it('of the signals that each call of a life leaves is found', () => {
    expect(course('signals', [75, 255, 411, 557, 706]).problem).toMatch(/^grew by/);
    // Of each wait for an operation, as it was measured before they were let go of.
    expect(course('signals', [32, 35, 43, 36, 52]).problem).toMatch(/^grew by/);
    // Those of starts, which lasted until the deadline of each.
    expect(course('signals', [26, 30, 30, 42, 56, 44]).problem).toMatch(/^grew by/);
  });

  it('of a tree that is kept in each life is found', () => {
    expect(course('heap', leaking(30 * MB, MB)).problem).toMatch(/^grew by/);
    expect(course('closures', leaking(30_000, 200)).problem).toMatch(/^grew by/);
    expect(course('buffers', leaking(4 * MB, 0.3 * MB)).problem).toMatch(/^grew by/);
    // Memory of native code shows only beside what the system has not taken back yet; 1 MB in each life is found in a long run.
    expect(course('rss', leaking(140 * MB, 4 * MB)).problem).toMatch(/^grew by/);
    expect(
      course(
        'rss',
        [134, 147, 155, 169, 170].map((mb) => mb * MB),
      ).problem,
    ).toBeUndefined();
  });

  it('is not seen where a value goes up and down', () => {
    expect(course('descriptors', [40, 52, 41, 53, 40, 55, 41]).problem).toBeUndefined();
    expect(
      course(
        'heap',
        [30, 36, 31, 35, 30, 36, 31].map((mb) => mb * MB),
      ).problem,
    ).toBeUndefined();
  });

  it('is not seen where something is loaded once in the middle', () => {
    expect(course('descriptors', [40, 40, 44, 44, 44, 44, 44]).problem).toBeUndefined();
  });

  it('has an upper end for what is kept on purpose', () => {
    expect(course('records', [10, 300, 700]).problem).toBeUndefined();
    expect(course('records', [10, 300, 1200]).problem).toMatch(/^was 1200/);
  });

  it('needs enough measurements that have the value', () => {
    expect(() => course('heap', [1, 2])).toThrow('too few');
    expect(() => courseOf(bound('heap'), [{}, {}, {}])).toThrow('lacks "heap"');
  });
});
