import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FrameReader,
  LARGEST_FRAME_BYTES,
  parseClientFrame,
  parseServerFrame,
  toFrame,
  WireError,
} from '../../src/processes/daemon/wire.ts';
import type { ClientFrame, ServerFrame } from '../../src/processes/daemon/wire.ts';

const id = fc.integer({ min: 0, max: 2 ** 40 });
const options = fc.record({
  toolsets: fc.array(fc.string()),
  isReadOnly: fc.boolean(),
  isTextOnly: fc.boolean(),
  session: fc.string({ unit: 'grapheme' }),
});
const http = fc.record({
  bind: fc.string(),
  port: fc.nat(65_535),
  isSseServed: fc.boolean(),
  token: fc.string(),
});
const clientFrame: fc.Arbitrary<ClientFrame> = fc.oneof(
  fc.record({ type: fc.constant('mcp' as const), options }),
  fc.record({ type: fc.constant('mcp-http' as const), options, http }),
  fc.record({
    type: fc.constant('hello' as const),
    protocol: fc.nat(),
    version: fc.string(),
    pid: fc.nat(),
    cwd: fc.string({ unit: 'binary' }),
    environment: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
    colour: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('execute' as const),
    id,
    session: fc.string(),
    command: fc.string({ unit: 'grapheme' }),
    input: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
    format: fc.constantFrom('json' as const, 'quiet' as const),
    pretty: fc.boolean(),
    secrets: fc.array(fc.string()),
    log: fc.constantFrom('debug' as const, 'info' as const),
  }),
  fc.record({ type: fc.constant('cancel' as const), id }),
  fc.record({ type: fc.constantFrom('ask' as const, 'stop' as const, 'retire' as const) }),
);
const serverFrame: fc.Arbitrary<ServerFrame> = fc.oneof(
  fc.record({ type: fc.constant('piped' as const) }),
  fc.record({ type: fc.constant('serving' as const), url: fc.string() }),
  fc.record({
    type: fc.constant('answer' as const),
    id,
    exitCode: fc.nat(255),
    stdout: fc.string({ unit: 'grapheme', maxLength: 5000 }),
    stderr: fc.string(),
  }),
  fc.record({ type: fc.constant('log' as const), id, line: fc.string() }),
  fc.record({
    type: fc.constantFrom('self' as const, 'skew' as const),
    version: fc.string(),
    pid: fc.nat(),
    isIdle: fc.boolean(),
    why: fc.string(),
  }),
  fc.record({ type: fc.constant('leaving' as const), pid: fc.nat() }),
  fc.record({ type: fc.constant('late' as const), id }),
  fc.record({
    type: fc.constant('refused' as const),
    id,
    code: fc.string(),
    message: fc.string(),
    suggestion: fc.string(),
  }),
);

/** The bytes, broken where `cuts` say. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

function header(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

describe('frames', () => {
  it('come out as they went in, however the bytes are broken up', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(clientFrame, { minLength: 1, maxLength: 6 }), cuts, (frames, places) => {
        const reader = new FrameReader();
        const bytes = Buffer.concat(frames.map((frame) => toFrame(frame)));
        const read = pieces(bytes, places).flatMap((piece) => reader.push(piece));
        expect(read.map((frame) => parseClientFrame(frame))).toEqual(frames);
        expect(reader.isPartial).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.array(serverFrame, { minLength: 1, maxLength: 6 }), cuts, (frames, places) => {
        const reader = new FrameReader();
        const bytes = Buffer.concat(frames.map((frame) => toFrame(frame)));
        const read = pieces(bytes, places).flatMap((piece) => reader.push(piece));
        expect(read.map((frame) => parseServerFrame(frame))).toEqual(frames);
      }),
    );
  });

  it('are whole or not there', () => {
    fc.assert(
      fc.property(clientFrame, fc.nat(), (frame, at) => {
        const bytes = toFrame(frame);
        const reader = new FrameReader();
        const cut = at % bytes.length;
        expect(reader.push(bytes.subarray(0, cut))).toEqual([]);
        expect(reader.isPartial).toBe(cut > 0);
        expect(reader.push(bytes.subarray(cut))).toHaveLength(1);
      }),
    );
  });

  it('of many tiny pieces cost no more than they should', () => {
    const text = 'x'.repeat(400_000);
    const bytes = toFrame({ type: 'log', id: 1, line: text });
    const reader = new FrameReader();
    const started = performance.now();
    let read: unknown[] = [];
    for (let at = 0; at < bytes.length; at += 2) read = reader.push(bytes.subarray(at, at + 2));
    expect(read).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

const MCP_OPTIONS = { toolsets: ['core'], isReadOnly: false, isTextOnly: false };

describe('garbage', () => {
  it('is refused or waited for, and never anything else', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => {
        const reader = new FrameReader();
        let failure: unknown = new WireError('none');
        try {
          for (const chunk of chunks)
            for (const frame of reader.push(Buffer.from(chunk))) parseClientFrame(frame);
        } catch (error) {
          failure = error;
        }
        expect(failure).toBeInstanceOf(WireError);
      }),
      { numRuns: 500 },
    );
  });

  it('inside a well-formed frame is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 60 }),
        ),
        (body) => {
          const reader = new FrameReader();
          const read = () =>
            reader
              .push(Buffer.concat([header(body.length), body]))
              .map((frame) => [parseClientFrame(frame), parseServerFrame(frame)]);
          expect(read).toThrow(WireError);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('that claims to be huge is refused before it is kept', () => {
    expect(() => new FrameReader().push(header(LARGEST_FRAME_BYTES + 1))).toThrow(WireError);
    const reader = new FrameReader();
    expect(reader.push(header(LARGEST_FRAME_BYTES))).toEqual([]);
    expect(() => new FrameReader().push(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toThrow(WireError);
  });

  it('is told from text in another encoding', () => {
    const latin = Buffer.from('{"type":"stop","x":"\xFF"}', 'latin1');
    expect(() => new FrameReader().push(Buffer.concat([header(latin.length), latin]))).toThrow('UTF-8');
  });

  it.each([
    { type: 'execute', id: 1.5, session: 's', command: 'c' },
    { type: 'execute', id: 1, session: 2, command: 'c' },
    { type: 'execute', id: 1, session: 's', command: 'c', format: 'xml' },
    { type: 'execute', id: 1, session: 's', command: 'c', secrets: [1] },
    { type: 'hello', protocol: 1, version: 'v', pid: 1, cwd: '/', environment: { A: 1 } },
    { type: 'hello', protocol: 1, version: 'v', pid: 1, cwd: '/', environment: [] },
    { type: 'answer', id: 1, exitCode: 0, stdout: '', stderr: '' },
    { type: 'mcp' },
    { type: 'mcp', options: [] },
    { type: 'mcp', options: { toolsets: 'core', isReadOnly: true, isTextOnly: false } },
    { type: 'mcp', options: { toolsets: ['core'], isReadOnly: 'yes', isTextOnly: false } },
    { type: 'mcp', options: { toolsets: ['core'], isReadOnly: true, isTextOnly: false, session: 1 } },
    { type: 'mcp-http', options: MCP_OPTIONS },
    { type: 'mcp-http', options: MCP_OPTIONS, http: { bind: '::1', port: '1', isSseServed: false } },
    { type: 'mcp-http', options: MCP_OPTIONS, http: { bind: '::1', port: 1, isSseServed: false, token: 1 } },
    { type: 'toString' },
    { type: ['stop'] },
    {},
  ])('such as %j is no frame of a client', (frame) => {
    expect(() => parseClientFrame(frame)).toThrow(WireError);
  });

  it('cannot reach the prototype of objects through the environment', () => {
    const hostile = JSON.parse(
      '{"type":"hello","protocol":1,"version":"","pid":1,"cwd":"/","environment":{"__proto__":"x"}}',
    );
    const parsed = parseClientFrame(hostile);
    expect(parsed.type === 'hello' && Object.getPrototypeOf(parsed.environment)).toBe(Object.prototype);
  });
});

it('a message that the other side would refuse is not sent', () => {
  expect(() => toFrame({ type: 'log', id: 1, line: 'x'.repeat(LARGEST_FRAME_BYTES) })).toThrow(WireError);
});
