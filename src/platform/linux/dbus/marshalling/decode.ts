import type { BodyReader } from './body-reader.ts';
import { protocolError } from '../bus-error.ts';
import { MAX_DEPTH } from '../limits.ts';
import { type BasicCode, parseSignature, parseSingleType, remember, type TypeNode } from './signature.ts';
import { type BusValue, Variant } from './value.ts';

/** Reads one value from a body; throws BusError `local.Protocol` for malformed bytes. */
export type Decoder<T> = (reader: BodyReader) => T;

const BASIC: Readonly<Record<BasicCode, Decoder<BusValue>>> = {
  y: (reader) => reader.readByte(),
  b: (reader) => reader.readBoolean(),
  n: (reader) => reader.readInt16(),
  q: (reader) => reader.readUint16(),
  i: (reader) => reader.readInt32(),
  u: (reader) => reader.readUint32(),
  h: (reader) => reader.readUint32(),
  x: (reader) => reader.readBigInt64(),
  t: (reader) => reader.readBigUint64(),
  d: (reader) => reader.readDouble(),
  s: (reader) => reader.readString(),
  o: (reader) => reader.readObjectPath(),
  g: (reader) => reader.readSignature(),
};

// `depth` is the number of containers around the value inside its own signature.
function compileType(type: TypeNode, depth: number): Decoder<BusValue> {
  switch (type.kind) {
    case 'basic':
      return BASIC[type.code];
    case 'variant':
      return (reader) => decodeVariant(reader, depth);
    case 'array':
      return type.element.kind === 'basic' && type.element.code === 'y'
        ? decodeBytes
        : compileArray(type.element, depth + 1);
    case 'dict':
      return compileDict(type.key, type.value, depth + 2);
    default:
      return compileStruct(type.fields, depth + 1);
  }
}

function decodeBytes(reader: BodyReader): Buffer {
  const end = reader.beginArray(1);
  return Buffer.from(reader.readRaw(end - reader.offset));
}

function compileArray(element: TypeNode, depth: number): Decoder<BusValue> {
  const decode = compileType(element, depth);
  const { alignment } = element;
  return (reader) => {
    const end = reader.beginArray(alignment);
    const values: BusValue[] = [];
    while (reader.offset < end) {
      reader.countElements(1);
      values.push(decode(reader));
    }
    reader.endArray(end);
    return values;
  };
}

function compileDict(key: TypeNode, value: TypeNode, depth: number): Decoder<BusValue> {
  const decodeKey = compileType(key, depth);
  const decodeValue = compileType(value, depth);
  return (reader) => {
    const end = reader.beginArray(8);
    const entries = new Map<BusValue, BusValue>();
    while (reader.offset < end) {
      reader.countElements(1);
      reader.align(8);
      const entryKey = decodeKey(reader);
      entries.set(entryKey, decodeValue(reader));
    }
    reader.endArray(end);
    return entries;
  };
}

function compileStruct(fields: readonly TypeNode[], depth: number): Decoder<BusValue> {
  const decodeFields = compileSequence(fields, depth);
  return (reader) => {
    reader.align(8);
    return decodeFields(reader);
  };
}

function compileSequence(types: readonly TypeNode[], depth: number): Decoder<BusValue[]> {
  const decoders = types.map((type) => compileType(type, depth));
  return (reader) => {
    const values: BusValue[] = [];
    for (const decode of decoders) values.push(decode(reader));
    return values;
  };
}

interface SingleDecoder {
  readonly decode: Decoder<BusValue>;
  readonly depth: number;
}

const bodies = new Map<string, Decoder<BusValue[]>>();
const singles = new Map<string, SingleDecoder>();

function compileSingle(signature: string): SingleDecoder {
  const { type, depth } = parseSingleType(signature);
  return { decode: compileType(type, 0), depth };
}

/** Reads a type `v`. `depth` is the number of containers around it that are not counted in `reader.depth`. */
export function decodeVariant(reader: BodyReader, depth = 0): Variant {
  const signature = reader.readSignature();
  const single = remember(singles, signature, () => compileSingle(signature));
  const outer = reader.depth;
  reader.depth = outer + depth + 1;
  if (reader.depth + single.depth > MAX_DEPTH)
    throw protocolError(`more than ${MAX_DEPTH} nested containers`);
  const value = single.decode(reader);
  reader.depth = outer;
  return new Variant(signature, value);
}

/**
 * A decoder for the complete types of a signature in order, compiled once and cached. It does not require the body to
 * end after them: see {@link decodeBody}.
 */
export function compileDecoder(signature: string): Decoder<BusValue[]> {
  return remember(bodies, signature, () => compileSequence(parseSignature(signature).types, 0));
}

/** Decodes a whole body; leftover bytes are a `local.Protocol` error. */
export function decodeBody(reader: BodyReader, signature: string): BusValue[] {
  const values = compileDecoder(signature)(reader);
  if (reader.offset !== reader.end)
    throw protocolError(`${reader.end - reader.offset} bytes after the last value`);
  return values;
}
