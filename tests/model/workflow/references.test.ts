import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldAt, referencesIn, replaced } from '../../../src/model/workflow/references.ts';

const values =
  (known: Readonly<Record<string, unknown>>) =>
  (reference: { head: string; path: readonly string[]; text: string }) =>
    fieldAt(known[reference.head], reference, reference.head);

describe('references in a workflow', () => {
  it('gives a whole value its own type, and puts texts and numbers into longer texts', () => {
    const of = values({ step_0: { count: 3, name: 'Ada', list: [{ ref: '@e4' }] } });
    expect(replaced({ n: '{{step_0.count}}', all: ['{{ step_0.list }}'] }, of)).toEqual({
      n: 3,
      all: [[{ ref: '@e4' }]],
    });
    expect(replaced('{{step_0.name}} has {{step_0.count}}: {{step_0.list.0.ref}}', of)).toBe(
      'Ada has 3: @e4',
    );
  });

  it('does not look for references in what it puts in', () => {
    expect(replaced('{{step_0.a}}!', values({ step_0: { a: '{{step_0.b}}', b: 'secret' } }))).toBe(
      '{{step_0.b}}!',
    );
  });

  it('names the fields that exist', () => {
    const of = values({ step_0: { value: 'x', ref: '@e1', list: [1, 2] } });
    expect(() => replaced('{{step_0.val}}', of)).toThrow('step_0 has the fields value, ref, list');
    expect(() => replaced('{{step_0.list.2}}', of)).toThrow('step_0.list is a list of 2, counted from 0');
    expect(() => replaced('{{step_0.value.length}}', of)).toThrow(
      'step_0.value is a string, which has no fields',
    );
  });

  it('reads own fields only', () => {
    const of = values({ step_0: { a: {} } });
    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'a.__proto__',
      'a.constructor.name',
    ])
      expect(() => replaced(`{{step_0.${name}}}`, of)).toThrow('does not exist');
    const own: unknown = JSON.parse('{"__proto__": {"x": "own"}}');
    expect(replaced('{{step_0.__proto__.x}}', values({ step_0: own }))).toBe('own');
    const copied = replaced(own, of);
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
  });

  it('refuses braces that are no reference, and takes escaped ones as text', () => {
    for (const text of ['{{}}', '{{1 + 1}}', '{{step_0.a()}}', '{{step_0["a"]}}', `{{${'a'.repeat(300)}}}`])
      expect(() => referencesIn({ text })).toThrow('is not a reference');
    expect(replaced(String.raw`\{{step_0.a}} and }}`, values({}))).toBe('{{step_0.a}} and }}');
    expect(() => replaced('a {{step_0.a}}', values({ step_0: { a: [1] } }))).toThrow('is a list');
  });

  it('is bounded', () => {
    let deep: unknown = 'x';
    for (let at = 0; at < 100; at += 1) deep = [deep];
    expect(() => replaced(deep, values({}))).toThrow('too deeply');
    const long = values({ step_0: { a: 'x'.repeat(600_000) } });
    expect(() => replaced('{{step_0.a}}{{step_0.a}}', long)).toThrow('longer than');
  });

  it('leaves every text without braces as it is, and gives every value back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const clean: unknown = JSON.parse(JSON.stringify(value).replaceAll('{{', '{ {'));
        expect(replaced(clean, values({}))).toEqual(clean);
        expect(replaced('{{step_0.value}}', values({ step_0: { value } }))).toEqual(value);
      }),
    );
  });
});

it('refuses braces that are not closed, instead of typing them', () => {
  expect(() => referencesIn('value {{step_0.value')).toThrow('is not a reference');
  expect(replaced(String.raw`\{{step_0.value`, () => 'x')).toBe('{{step_0.value');
});
