import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyReader, type BusValue, Variant } from '../../../../src/platform/linux/dbus/index.ts';
import { decodeBody } from '../../../../src/platform/linux/dbus/marshalling/decode.ts';
import { encodeBody } from '../../../../src/platform/linux/dbus/marshalling/encode.ts';
import { body, SEED } from './support/arbitrary.ts';

// dbus-native is an independent implementation of the wire format; only its codec is used here.
interface Tree {
  readonly type: string;
  readonly child: readonly Tree[];
}
const require = createRequire(import.meta.url);
const marshall: (signature: string, values: unknown[]) => Buffer = require('dbus-native/lib/marshall.js');
const unmarshall: (
  bytes: Buffer,
  signature: string,
  start: number,
  options: object,
) => unknown[] = require('dbus-native/lib/unmarshall.js');

const OPTIONS = { returnBigInt: true, ayBuffer: true };

function toTheirs(value: BusValue): unknown {
  if (value instanceof Variant) return [value.signature, toTheirs(value.value)];
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value instanceof Map) return [...value].map(([key, entry]) => [toTheirs(key), toTheirs(entry)]);
  return Array.isArray(value) ? value.map((item: BusValue) => toTheirs(item)) : value;
}

function treeToSignature({ type, child }: Tree): string {
  const inner = child.map(treeToSignature).join('');
  if (type === 'a') return `a${inner}`;
  if (type === '(') return `(${inner})`;
  return type === '{' ? `{${inner}}` : type;
}

// Our value in the shape that their reader returns: variants as [tree, [value]], dicts as pairs.
function asRead(value: BusValue): unknown {
  if (value instanceof Variant) return { variant: value.signature, value: asRead(value.value) };
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value instanceof Map) return [...value].map(([key, entry]) => [asRead(key), asRead(entry)]);
  return Array.isArray(value) ? value.map((item: BusValue) => asRead(item)) : value;
}

function isTreeList(value: unknown): value is readonly Tree[] {
  return (
    Array.isArray(value) &&
    value.length === 1 &&
    value.every((item) => typeof item === 'object' && item !== null && 'type' in item && 'child' in item)
  );
}

function theirsNormalised(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [first, second]: unknown[] = value;
  if (value.length === 2 && isTreeList(first) && Array.isArray(second)) {
    return { variant: first.map(treeToSignature).join(''), value: theirsNormalised(second[0]) };
  }
  return value.map(theirsNormalised);
}

function isFiniteThroughout(value: BusValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Variant) return isFiniteThroughout(value.value);
  if (value instanceof Map) return [...value].flat().every(isFiniteThroughout);
  return !Array.isArray(value) || value.every(isFiniteThroughout);
}

// dbus-native refuses to write NaN and the infinities, which D-Bus allows.
const comparable = body(3).filter(({ values }) => isFiniteThroughout(values));

describe('against the codec of dbus-native', () => {
  it('writes the same bytes', () => {
    fc.assert(
      fc.property(comparable, ({ signature, values }) => {
        const theirs = marshall(signature, values.map(toTheirs));
        expect(encodeBody(signature, values).toString('hex')).toBe(theirs.toString('hex'));
      }),
      { numRuns: 1000, seed: SEED },
    );
  });

  it('reads what dbus-native wrote', () => {
    fc.assert(
      fc.property(comparable, ({ signature, values }) => {
        const theirs = marshall(signature, values.map(toTheirs));
        expect(decodeBody(new BodyReader(theirs, true), signature)).toEqual(values);
      }),
      { numRuns: 1000, seed: SEED },
    );
  });

  it('writes what dbus-native reads', () => {
    fc.assert(
      fc.property(comparable, ({ signature, values }) => {
        const read = unmarshall(encodeBody(signature, values), signature, 0, OPTIONS);
        expect(read.map(theirsNormalised)).toEqual(values.map(asRead));
      }),
      { numRuns: 1000, seed: SEED },
    );
  });
});
