import { protocolError } from '../bus-error.ts';
import { MAX_ARRAY_DEPTH, MAX_SIGNATURE, MAX_STRUCT_DEPTH } from '../limits.ts';

const BASIC_ALIGNMENT = { y: 1, g: 1, n: 2, q: 2, b: 4, i: 4, u: 4, h: 4, s: 4, o: 4, x: 8, t: 8, d: 8 };

/** The code of a type without parts. */
export type BasicCode = keyof typeof BASIC_ALIGNMENT;

function isBasic(code: string): code is BasicCode {
  return Object.hasOwn(BASIC_ALIGNMENT, code);
}

/** A parsed D-Bus type. `alignment` is in bytes, from the start of the body. */
export type TypeNode =
  | { readonly kind: 'basic'; readonly code: BasicCode; readonly alignment: number }
  | { readonly kind: 'variant'; readonly alignment: number }
  | { readonly kind: 'array'; readonly element: TypeNode; readonly alignment: number }
  | { readonly kind: 'dict'; readonly key: TypeNode; readonly value: TypeNode; readonly alignment: number }
  | { readonly kind: 'struct'; readonly fields: readonly TypeNode[]; readonly alignment: number };

/** A whole signature: its complete types in order, and the number of containers around its deepest value. */
export interface Signature {
  readonly types: readonly TypeNode[];
  readonly depth: number;
}

class SignatureParser {
  readonly #text: string;
  #at = 0;
  #arrays = 0;
  #structs = 0;
  depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): TypeNode[] {
    const types: TypeNode[] = [];
    while (this.#at < this.#text.length) types.push(this.#type());
    return types;
  }

  #fail(why: string): never {
    throw protocolError(`signature ${JSON.stringify(this.#text)}: ${why} at ${this.#at}`);
  }

  #type(): TypeNode {
    const code = this.#text.charAt(this.#at++);
    if (isBasic(code)) return { kind: 'basic', code, alignment: BASIC_ALIGNMENT[code] };
    if (code === 'v') {
      this.#noteDepth(1);
      return { kind: 'variant', alignment: 1 };
    }
    if (code === 'a') return this.#array();
    if (code === '(') return this.#struct();
    return this.#fail(code === '' ? 'ends inside a type' : `unexpected ${JSON.stringify(code)}`);
  }

  #noteDepth(extra: number): void {
    this.depth = Math.max(this.depth, this.#arrays + this.#structs + extra);
  }

  #array(): TypeNode {
    if (++this.#arrays > MAX_ARRAY_DEPTH) this.#fail(`more than ${MAX_ARRAY_DEPTH} nested arrays`);
    this.#noteDepth(0);
    const isDict = this.#text.charAt(this.#at) === '{';
    const node: TypeNode = isDict ? this.#dict() : { kind: 'array', element: this.#type(), alignment: 4 };
    this.#arrays--;
    return node;
  }

  #dict(): TypeNode {
    this.#at++;
    this.#enterStruct();
    const key = this.#type();
    if (key.kind !== 'basic') this.#fail('a dict key must be a basic type');
    const value = this.#type();
    if (this.#text.charAt(this.#at++) !== '}') this.#fail('a dict entry has exactly two types');
    this.#structs--;
    return { kind: 'dict', key, value, alignment: 4 };
  }

  #struct(): TypeNode {
    this.#enterStruct();
    const fields: TypeNode[] = [];
    while (this.#text.charAt(this.#at) !== ')') fields.push(this.#type());
    if (fields.length === 0) this.#fail('empty struct');
    this.#at++;
    this.#structs--;
    return { kind: 'struct', fields, alignment: 8 };
  }

  #enterStruct(): void {
    if (++this.#structs > MAX_STRUCT_DEPTH) this.#fail(`more than ${MAX_STRUCT_DEPTH} nested structs`);
    this.#noteDepth(0);
  }
}

// Bounded because peers choose the signatures.
const CACHE_LIMIT = 1024;
const cache = new Map<string, Signature>();

/** What `make` returns for a signature, cached. */
export function remember<T>(known: Map<string, T>, signature: string, make: () => T): T {
  const found = known.get(signature);
  if (found !== undefined) return found;
  const made = make();
  if (known.size >= CACHE_LIMIT) known.clear();
  known.set(signature, made);
  return made;
}

/** Parses and checks a signature (specification, "Valid Signatures"); throws `local.Protocol`. Cached. */
export function parseSignature(text: string): Signature {
  return remember(cache, text, () => {
    if (text.length > MAX_SIGNATURE) throw protocolError(`signature of ${text.length} bytes`);
    const parser = new SignatureParser(text);
    return { types: parser.parse(), depth: parser.depth };
  });
}

/** Parses a signature that must be a single complete type; throws `local.Protocol`. */
export function parseSingleType(text: string): { type: TypeNode; depth: number } {
  const { types, depth } = parseSignature(text);
  const [type] = types;
  if (type === undefined || types.length > 1) {
    throw protocolError(`signature ${JSON.stringify(text)} is not a single complete type`);
  }
  return { type, depth };
}
