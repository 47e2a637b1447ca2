import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientFrame } from '../../src/wire/client-frames.ts';
import { encodeClientFrame, encodeServerFrame, serverFrame } from '../../src/wire/daemon-protocol.ts';
import { FrameReader, LARGEST_FRAME_BYTES } from '../../src/wire/frames.ts';
import { WireError } from '../../src/wire/schema.ts';
import { clientFrames, serverFrames } from './arbitrary-frames.ts';
import { holdsForAnyFrame } from './hostile-frames.ts';

describe('frames of clients', () => {
  holdsForAnyFrame(clientFrame, encodeClientFrame, clientFrames, ['input']);
});

describe('frames of daemons', () => {
  holdsForAnyFrame(serverFrame, encodeServerFrame, serverFrames, []);
});

describe('frames', () => {
  it('are complete or absent', () => {
    fc.assert(
      fc.property(clientFrames, fc.nat(), (frame, at) => {
        const bytes = encodeClientFrame(frame);
        const reader = new FrameReader(clientFrame);
        const cut = at % bytes.length;
        expect(reader.push(bytes.subarray(0, cut))).toEqual([]);
        expect(reader.isPartial).toBe(cut > 0);
        expect(reader.push(bytes.subarray(cut))).toHaveLength(1);
      }),
    );
  });

  it('of many tiny pieces take linear time', () => {
    const text = 'x'.repeat(400_000);
    const bytes = encodeServerFrame({ type: 'log', id: 1, line: text });
    const reader = new FrameReader(serverFrame);
    const started = performance.now();
    let read: unknown[] = [];
    for (let at = 0; at < bytes.length; at += 2) read = reader.push(bytes.subarray(at, at + 2));
    expect(read).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

const MCP_OPTIONS = { toolsets: ['core'], isReadOnly: false, structured: 'always' };

describe('garbage', () => {
  it('inside a well-formed frame is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 60 }),
        ),
        (body) => {
          const line = Buffer.concat([body, Buffer.from('\n')]);
          for (const schema of [clientFrame, serverFrame])
            expect(() => new FrameReader<unknown>(schema).push(line)).toThrow(WireError);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('that would be huge is refused before it is buffered', () => {
    const reader = new FrameReader(clientFrame, 100);
    expect(reader.push(Buffer.alloc(100, '{'))).toEqual([]);
    expect(() => reader.push(Buffer.from('{'))).toThrow('a frame has more than 100 bytes');
    expect(() => new FrameReader(clientFrame).push(Buffer.alloc(LARGEST_FRAME_BYTES + 1, '{'))).toThrow(
      WireError,
    );
  });

  it.each([
    ['a web request', 'GET /'],
    ['a frame of protocol 1, which said its length first', '\0\0\0\u0002{}'],
    ['a list', '[1'],
    ['an empty line', '\n'],
  ])('that can never become a frame is refused at once: %s', (_, begun) => {
    expect(() => new FrameReader(clientFrame).push(Buffer.from(begun))).toThrow(WireError);
  });

  it('in another encoding is refused', () => {
    const latin = Buffer.from('{"type":"stop","x":"\xFF"}\n', 'latin1');
    expect(() => new FrameReader(clientFrame).push(latin)).toThrow('UTF-8');
  });

  it('that is nested too deeply is refused', () => {
    const call = (levels: number) => {
      const input: unknown = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
      return { type: 'execute', id: 1, session: 's', command: 'c', input };
    };
    expect(clientFrame.parse(call(100))).toMatchObject({ command: 'c' });
    expect(() => clientFrame.parse(call(100_000))).toThrow('"input" of a frame must be nested');
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
    { type: 'mcp', options: { toolsets: 'core', isReadOnly: true, structured: 'always' } },
    { type: 'mcp', options: { toolsets: ['core'], isReadOnly: 'yes', structured: 'always' } },
    { type: 'mcp', options: { toolsets: ['core'], isReadOnly: true, structured: 'always', session: 1 } },
    { type: 'mcp-http', options: MCP_OPTIONS },
    { type: 'mcp-http', options: MCP_OPTIONS, http: { bind: '::1', port: '1', isSseServed: false } },
    { type: 'mcp-http', options: MCP_OPTIONS, http: { bind: '::1', port: 1, isSseServed: false, token: 1 } },
    { type: 'toString' },
    { type: ['stop'] },
    {},
  ])('such as %j is not a client frame', (frame) => {
    expect(() => clientFrame.parse(frame)).toThrow(WireError);
  });

  it('cannot reach the prototype of objects through the environment', () => {
    const hostile = JSON.parse(
      '{"type":"hello","protocol":1,"version":"","pid":1,"cwd":"/","environment":{"__proto__":"x"}}',
    );
    const parsed = clientFrame.parse(hostile);
    expect(parsed.type === 'hello' && Object.getPrototypeOf(parsed.environment)).toBe(Object.prototype);
  });
});

it('a message that the other side would refuse is not encoded', () => {
  const line = 'x'.repeat(LARGEST_FRAME_BYTES);
  expect(() => encodeServerFrame({ type: 'log', id: 1, line })).toThrow(WireError);
});
