import { BodyWriter } from './body-writer.ts';
import { protocolError } from '../bus-error.ts';
import { MAX_DEPTH } from '../limits.ts';
import { isObjectPath } from '../names.ts';
import { type BasicCode, parseSignature, parseSingleType, type TypeNode } from './signature.ts';
import { type BusValue, Variant } from './value.ts';

type Encoder = (writer: BodyWriter, value: BusValue) => void;

const LONE_SURROGATE = /\p{Surrogate}/u;

function integer(value: BusValue, low: number, high: number, code: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return value;
  return refuse(value, code);
}

function wide(value: BusValue, low: bigint, high: bigint, code: string): bigint {
  if (typeof value === 'bigint' && value >= low && value <= high) return value;
  return refuse(value, code);
}

function text(value: BusValue, code: string): string {
  if (typeof value !== 'string') return refuse(value, code);
  if (value.includes('\0')) throw protocolError('a string must not contain a NUL');
  if (LONE_SURROGATE.test(value)) throw protocolError('a string must not contain a lone surrogate');
  return value;
}

function refuse(value: BusValue, code: string): never {
  const shown = typeof value === 'object' ? value.constructor.name : `${typeof value} ${String(value)}`;
  throw protocolError(`${shown.slice(0, 80)} is not a value of type ${code}`);
}

const BASIC: Readonly<Record<BasicCode, Encoder>> = {
  y: (writer, value) => writer.byte(integer(value, 0, 0xff, 'y')),
  b: (writer, value) => writer.uint32(typeof value === 'boolean' ? Number(value) : refuse(value, 'b')),
  n: (writer, value) => writer.int16(integer(value, -0x8000, 0x7fff, 'n')),
  q: (writer, value) => writer.int16(integer(value, 0, 0xffff, 'q')),
  i: (writer, value) => writer.uint32(integer(value, -0x8000_0000, 0x7fff_ffff, 'i')),
  u: (writer, value) => writer.uint32(integer(value, 0, 0xffff_ffff, 'u')),
  h: (writer, value) => writer.uint32(integer(value, 0, 0xffff_ffff, 'h')),
  x: (writer, value) => writer.bigInt64(wide(value, -(2n ** 63n), 2n ** 63n - 1n, 'x')),
  t: (writer, value) => writer.bigInt64(wide(value, 0n, 2n ** 64n - 1n, 't')),
  d: (writer, value) => writer.double(typeof value === 'number' ? value : refuse(value, 'd')),
  s: (writer, value) => writer.string(text(value, 's')),
  o: (writer, value) => {
    const path = text(value, 'o');
    if (!isObjectPath(path)) refuse(value, 'o');
    writer.string(path);
  },
  g: (writer, value) => {
    const signature = text(value, 'g');
    parseSignature(signature);
    writer.signature(signature);
  },
};

function encodeValue(writer: BodyWriter, type: TypeNode, value: BusValue, depth: number): void {
  switch (type.kind) {
    case 'basic':
      return BASIC[type.code](writer, value);
    case 'variant':
      return encodeVariant(writer, value, depth);
    case 'array':
      return encodeArray(writer, type.element, value, depth + 1);
    case 'dict': {
      if (!(value instanceof Map)) return refuse(value, 'a{}');
      const entries: ReadonlyMap<BusValue, BusValue> = value;
      return writer.array(8, () => {
        for (const [key, entry] of entries) {
          writer.align(8);
          encodeValue(writer, type.key, key, depth + 2);
          encodeValue(writer, type.value, entry, depth + 2);
        }
      });
    }
    case 'struct': {
      const values = sequence(value, 'struct');
      writer.align(8);
      return encodeAll(writer, type.fields, values, depth + 1);
    }
  }
}

function encodeArray(writer: BodyWriter, element: TypeNode, value: BusValue, depth: number): void {
  const isBytes = element.kind === 'basic' && element.code === 'y';
  if (isBytes && value instanceof Uint8Array) return writer.array(1, () => writer.raw(value));
  const values = sequence(value, 'array');
  return writer.array(element.alignment, () => {
    for (const item of values) encodeValue(writer, element, item, depth);
  });
}

function sequence(value: BusValue, code: string): readonly BusValue[] {
  return Array.isArray(value) ? value : refuse(value, code);
}

function encodeVariant(writer: BodyWriter, value: BusValue, depth: number): void {
  if (!(value instanceof Variant)) return refuse(value, 'v');
  const single = parseSingleType(value.signature);
  const outer = writer.depth;
  writer.depth = outer + depth + 1;
  if (writer.depth + single.depth > MAX_DEPTH)
    throw protocolError(`more than ${MAX_DEPTH} nested containers`);
  writer.signature(value.signature);
  encodeValue(writer, single.type, value.value, 0);
  writer.depth = outer;
}

function encodeAll(
  writer: BodyWriter,
  types: readonly TypeNode[],
  values: readonly BusValue[],
  depth: number,
): void {
  if (values.length !== types.length)
    throw protocolError(`${values.length} values for ${types.length} types`);
  for (const [index, type] of types.entries()) {
    const value = values[index];
    if (value === undefined) throw protocolError(`value ${index} is undefined`);
    encodeValue(writer, type, value, depth);
  }
}

/**
 * Encodes a message body. Invalid values (range, object path and signature syntax, malformed text, nesting, size) are
 * refused with BusError `local.Protocol`. Big-endian exists for tests; this client writes little-endian.
 */
export function encodeBody(signature: string, values: readonly BusValue[], littleEndian = true): Buffer {
  const writer = new BodyWriter(littleEndian);
  encodeAll(writer, parseSignature(signature).types, values, 0);
  return writer.toBuffer();
}
