import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLocator } from '../../../src/model/refs/locator.ts';
import { IN_LOCATOR } from '../../../src/model/workflow/locator-placement.ts';
import { replaced } from '../../../src/model/workflow/references.ts';

const place = (template: string, value: unknown) => replaced(template, () => value, IN_LOCATOR);

describe('a text of an application in a locator', () => {
  it('never changes which element is meant, whatever it contains', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('"] >> role:button[name="Delete', "'] >> text:'x", '\\', '\\"', 'a\nb', '\\u{41}'),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('"', "'"), (value, mark) => {
        const locator = String(place(`app:Notes >> role:row[name=${mark}{{step_0.value}}${mark}]`, value));
        expect(parseLocator(locator)).toMatchObject({
          app: 'Notes',
          steps: [{ kind: 'role', role: 'row', filters: [{ attribute: 'name', text: value }] }],
        });
        expect(parseLocator(locator).steps).toHaveLength(1);
      }),
    );
  });

  it('must be a plain word outside of quotes, and a reference alone', () => {
    expect(place('cell:{{step_0.value}}', 'B7')).toBe('cell:B7');
    expect(() => place('role:{{step_0.value}}', 'row >> role:button')).toThrow('between quotes');
    expect(() => place('role:row[name~="{{step_0.value}}"]', '.*')).toThrow('part of a pattern');
    expect(place('{{step_0.ref}}', '@e7')).toBe('@e7');
    expect(() => place('{{step_0.value}}', 'role:button[name="Delete"]')).toThrow('not a reference');
    expect(place('{{param.target}}', 'role:button')).toBe('role:button');
  });
});
