import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compare, Expected, ExpectedProperty, describeCheck } from '../../src/model/effects/expectation.ts';
import type { Seen } from '../../src/model/effects/expectation.ts';
import { ROLES } from '../../src/model/tree/role.ts';

const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('', 'Ada', 'Ada Lovelace', '42'));
const seen: fc.Arbitrary<Seen> = fc.record({
  visible: fc.boolean(),
  enabled: fc.boolean(),
  focused: fc.boolean(),
  checked: fc.boolean(),
  role: fc.constantFrom(...ROLES),
  title: text,
  value: fc.option(text, { nil: undefined }),
  contains_text: text,
});
const KEYS = ['visible', 'enabled', 'focused', 'checked', 'role', 'title', 'value', 'contains_text'] as const;
/** An observation, if any, and expectations of it: each taken from the observation or arbitrary. */
const pair = fc
  .tuple(
    fc.option(seen, { nil: undefined, freq: 4 }),
    seen,
    fc.option(fc.boolean(), { nil: undefined }),
    fc.uniqueArray(fc.record({ key: fc.constantFrom(...KEYS), isTrue: fc.boolean() }), {
      selector: ({ key }) => key,
    }),
  )
  .map(([facts, other, exists, picks]) => {
    const chosen = picks.map(({ key, isTrue }) => [key, (isTrue ? facts : other)?.[key] ?? other[key]]);
    return { facts, wanted: Expected.parse({ exists, ...Object.fromEntries(chosen) }) };
  });
const isSame = (value: string, wanted: string): boolean => value === wanted;

it('each expectation is checked once, and fails exactly if it differs from what was seen', () => {
  const outcomes = { passed: 0, failed: 0 };
  fc.assert(
    fc.property(pair, ({ wanted, facts }) => {
      const { checks, failures } = compare(wanted, facts, isSame);
      expect(checks.map(({ property }) => property).toSorted()).toEqual(
        ExpectedProperty.options.filter((key) => wanted[key] !== undefined).toSorted(),
      );
      const failed = new Set(failures.map(({ property }) => property));
      for (const property of ExpectedProperty.options) {
        const said = wanted[property];
        const holds =
          property === 'exists'
            ? (said ?? true) === (facts !== undefined)
            : said === undefined ||
              (property === 'contains_text'
                ? facts !== undefined && facts.contains_text.split(wanted.contains_text ?? '').length > 1
                : facts?.[property] === said);
        const isEmptyPart = property === 'contains_text' && said === '' && facts !== undefined;
        expect([property, failed.has(property)]).toEqual([property, !(holds || isEmptyPart)]);
      }
      outcomes[failures.length === 0 ? 'passed' : 'failed'] += 1;
    }),
    { numRuns: 2000, seed: 20_260 },
  );
  expect(Math.min(outcomes.passed, outcomes.failed)).toBeGreaterThan(50);
});

it('expecting the present state always holds', () => {
  fc.assert(
    fc.property(seen, ({ value, ...facts }) => {
      const wanted = Expected.parse({ ...facts, exists: true, ...(value === undefined ? {} : { value }) });
      expect(compare(wanted, { ...facts, value }, isSame).failures).toEqual([]);
    }),
  );
});

it('long texts are compared completely and shown in part', () => {
  const long = `${'a'.repeat(5000)}b`;
  const facts = {
    visible: true,
    enabled: true,
    focused: true,
    checked: true,
    role: 'textbox',
    title: long,
    value: long,
    contains_text: long,
  };
  expect(compare({ contains_text: 'ab', value: long }, facts, isSame).failures).toEqual([]);
  const { failures } = compare({ title: long.slice(0, -1) }, facts, isSame);
  expect(failures).toHaveLength(1);
  expect(JSON.stringify(failures[0]?.actual).length).toBeLessThan(600);
  expect(failures.map(describeCheck).join('').length).toBeLessThan(400);
});

it('a check is one line, whatever applications say', () => {
  const actual = 'b\n  title: expected true\u202E';
  const check = { property: 'value', expected: 'a', actual, passed: false } as const;
  expect(describeCheck(check)).toBe(String.raw`value: expected "a", is "b\n  title: expected true\u{202E}"`);
});
