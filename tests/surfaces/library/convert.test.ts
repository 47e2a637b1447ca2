import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { toCamel, toWire } from '../../../src/surfaces/library/convert.ts';
import { camelCase } from '../../../src/surfaces/library/library-speller.ts';
import { keysOfShape, type Shape } from '../../../src/surfaces/library/shape.ts';
import { shapes } from '../../../src/surfaces/library/shapes.generated.ts';
import { RECEIPT, TREE } from '../../commands/samples.ts';

const SEED = 20_260_131;
const { named } = shapes;

/** Values that no conversion may touch, with keys that look as if it should. */
const data = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.dictionary(fc.constantFrom('snake_key', 'max_depth', '__proto__', 'plain'), fc.string(), { minKeys: 1 }),
);

/** Wire values of a shape, three levels deep at most. */
function valuesOf(shape: Shape | null, depth = 0): fc.Arbitrary<unknown> {
  if (shape === null) return data;
  if ('name' in shape) return valuesOf(named[shape.name] ?? null, depth);
  if ('oneOf' in shape) return fc.oneof(...shape.oneOf.map((option) => valuesOf(option, depth)), fc.string());
  if ('items' in shape)
    return depth > 3 ? fc.constant([]) : fc.array(valuesOf(shape.items, depth + 1), { maxLength: 3 });
  if ('values' in shape) return fc.dictionary(fc.string(), valuesOf(shape.values, depth + 1), { maxKeys: 3 });
  if ('of' in shape)
    return fc.constant({ command: 'click', ...(shape.of === 'input' ? { ref: '@e2' } : {}) });
  const keys = keysOfShape(shape);
  return fc.record<Record<string, unknown>>(
    Object.fromEntries(keys.map((key) => [key.wire, valuesOf(key.shape, depth + 1)])),
    { requiredKeys: keys.filter((key) => key.isRequired).map(({ wire }) => wire) },
  );
}

describe.each(Object.entries(shapes.commands))('%s', (command, { input, output }) => {
  it.each([
    ['input', input],
    ['answer', output],
  ] as const)('%s: conversion to camelCase and back changes nothing', (_, shape) => {
    fc.assert(
      fc.property(valuesOf(shape), (wire) => {
        expect(toWire(toCamel(wire, shape, named), shape, named, command)).toEqual(wire);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });

  it('has no wire keys left that the schema contains', () => {
    fc.assert(
      fc.property(valuesOf(output), (wire) => {
        expect(snakeKeys(toCamel(wire, output, named), output)).toEqual([]);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });
});

/** Known keys that kept an underscore, at any depth that has a shape. */
function snakeKeys(value: unknown, shape: Shape | null): string[] {
  if (shape === null || typeof value !== 'object' || value === null || 'oneOf' in shape) return [];
  if ('name' in shape) return snakeKeys(value, named[shape.name] ?? null);
  if ('items' in shape)
    return Array.isArray(value) ? value.flatMap((item) => snakeKeys(item, shape.items)) : [];
  if ('values' in shape) return Object.values(value).flatMap((item) => snakeKeys(item, shape.values));
  if ('of' in shape) return [];
  return keysOfShape(shape).flatMap(({ wire, shape: inner }) => [
    ...(wire.includes('_') && Object.hasOwn(value, wire) ? [wire] : []),
    ...snakeKeys(Object.getOwnPropertyDescriptor(value, camelCase(wire))?.value, inner),
  ]);
}

describe('answers', () => {
  const outputOf = (command: string) => shapes.commands[command]?.output ?? null;

  it('a receipt', () => {
    expect(toCamel(RECEIPT, outputOf('click'), named)).toMatchObject({
      retrySafe: false,
      durationMs: 120,
      changes: [{ before: 'value "42"' }],
    });
  });

  it('a tree, at any depth', () => {
    const deep = {
      role: 'window',
      children: [{ role: 'group', children: [{ role: 'text', value_length: 5000 }] }],
    };
    expect(toCamel({ tree: deep, ref_count: 2 }, outputOf('snapshot'), named)).toEqual({
      tree: {
        role: 'window',
        children: [{ role: 'group', children: [{ role: 'text', valueLength: 5000 }] }],
      },
      refCount: 2,
    });
    expect(toCamel(TREE, { name: 'Node' }, named)).toEqual(TREE);
  });

  it('attributes are data, whose keys are not converted', () => {
    const attributes = { 'xml-roles': 'a', toolkit_name: 'gtk', max_depth: '7', __proto__: null };
    const answer = { property: 'attributes', ref: '@e1', value: attributes };
    expect(toCamel(answer, outputOf('get'), named)).toEqual(answer);
  });

  it('the statistics of a tree are converted, the counts by role are not', () => {
    const value = {
      app: 'KCalc',
      nodes: 3,
      interactive: 1,
      named: 2,
      max_depth: 2,
      by_role: { some_role: 3 },
      complete: true,
      calls: 4,
      duration_ms: 5,
    };
    expect(toCamel({ property: 'tree-stats', value }, outputOf('get'), named)).toMatchObject({
      value: { maxDepth: 2, byRole: { some_role: 3 }, durationMs: 5 },
    });
  });
});

describe('inputs', () => {
  const input = shapes.commands['snapshot']?.input ?? null;

  it('leave out undefined values', () => {
    expect(toWire({ maxDepth: 2, app: undefined }, input, named, 'snapshot')).toEqual({ max_depth: 2 });
  });

  it.each([
    ['max_depth', 'maxDepth'],
    ['maxDepht', 'maxDepth'],
    ['interactiveonly', 'interactiveOnly'],
  ])('%s is refused, and %s named', (wrong, right) => {
    const error = thrown(() => toWire({ [wrong]: 1 }, input, named, 'snapshot'));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', suggestion: `Did you mean ${right}?` });
  });

  it.each(['__proto__', 'constructor', 'toString'])('%s is an unknown key like any other', (key) => {
    const hostile = JSON.parse(`{${JSON.stringify(key)}: {"app": "x"}}`);
    expect(thrown(() => toWire(hostile, input, named, 'snapshot'))).toBeInstanceOf(DeskterityError);
  });
});

it('camelCase', () => {
  expect(['max_depth', 'set-value', 'clipboard get', 'x', 'a_1'].map((name) => camelCase(name))).toEqual([
    'maxDepth',
    'setValue',
    'clipboardGet',
    'x',
    'a1',
  ]);
});

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
