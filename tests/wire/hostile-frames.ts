import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameReader } from '../../src/wire/frames.ts';
import { WireError, type Schema } from '../../src/wire/schema.ts';

type Path = readonly (string | number)[];

/** The parsed value, or the error of the schema. */
export function outcomeOf<T>(
  schema: Schema<T>,
  value: unknown,
): { readonly parsed: T } | { readonly error: unknown } {
  try {
    return { parsed: schema.parse(value) };
  } catch (error) {
    return { error };
  }
}

/**
 * Tests for every protocol.
 * @param free members that accept any value, such as `input`
 */
export function holdsForAnyFrame<T extends object>(
  schema: Schema<T>,
  encode: (frame: T) => Buffer,
  frames: fc.Arbitrary<T>,
  free: readonly string[],
): void {
  it('delivers any frames as they were sent, however they are split', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(frames, { minLength: 1, maxLength: 6 }), cuts, (sent, places) => {
        const reader = new FrameReader(schema);
        const bytes = Buffer.concat(sent.map((frame) => encode(frame)));
        const received = pieces(bytes, places).flatMap((piece) => reader.push(piece));
        expect(received).toEqual(sent);
        expect(reader.isPartial).toBe(false);
      }),
    );
  });

  it('accepts or refuses any bytes, nothing else', () => {
    const chunks = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        fc.json().map((json) => Buffer.from(`${json}\n`)),
        fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from('{"type":'), bytes])),
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(chunks, (sent) => {
        const reader = new FrameReader(schema);
        let failure: unknown = new WireError('none');
        try {
          for (const chunk of sent) expect(reader.push(chunk)).toEqual([]);
        } catch (error) {
          failure = error;
        }
        expect(failure).toBeInstanceOf(WireError);
      }),
    );
  });

  it('refuses a member of any other type and names it', () => {
    fc.assert(
      fc.property(frames, fc.nat(), fc.jsonValue(), (frame, at, value) => {
        const sent = overTheWire(encode(frame));
        const paths = pathsIn(sent, free);
        const path = paths[at % paths.length] ?? [];
        for (const wrong of [null, ...(kindOf(value) === kindOf(valueAt(sent, path)) ? [] : [value])]) {
          const outcome = outcomeOf(schema, replaced(sent, path, wrong));
          expect(outcome, `${path.join('.')}: ${JSON.stringify(wrong)}`).toHaveProperty('error');
          expect(outcome).toMatchObject({ error: expect.any(WireError) });
          expect(outcome).toMatchObject({
            error: { message: expect.stringContaining(`"${String(path[0])}`) },
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('drops unknown members and is safe from prototype pollution', () => {
    fc.assert(
      fc.property(frames, fc.constantFrom('__proto__', 'constructor', 'toString', 'more'), (frame, name) => {
        const sent = overTheWire(encode(frame));
        const more: unknown = JSON.parse(`{"${name}":{"isAdmin":true}}`);
        const outcome = outcomeOf(
          schema,
          Object.defineProperties({ ...sent }, Object.getOwnPropertyDescriptors(more)),
        );
        if (!('parsed' in outcome)) throw new Error('it was refused', { cause: outcome.error });
        expect(Object.keys(outcome.parsed)).not.toContain(name);
        expect(Object.getPrototypeOf(outcome.parsed)).toBe(Object.prototype);
      }),
    );
  });
}

/** The bytes, split at `cuts`. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** A frame as received, before validation. */
export function overTheWire(frame: Buffer): Readonly<Record<string, unknown>> {
  return JSON.parse(frame.toString('utf8'));
}

function pathsIn(value: unknown, free: readonly string[], path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, each]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return free.includes(name) ? [] : pathsIn(each, free, [...path, key]);
  });
  return path.length === 0 ? inner : [path, ...inner];
}

function valueAt(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  return key === undefined ? value : valueAt(Object(value)[key], rest);
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const inner = replaced(Object(value)[key], rest, by);
  if (Array.isArray(value)) return value.with(Number(key), inner);
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, each]) => [name, name === key ? inner : each]),
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}
