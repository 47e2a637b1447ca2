import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../src/wire/frames.ts';
import { encodeFromHolder, encodeToHolder, fromHolder, toHolder } from '../../src/wire/holder-protocol.ts';
import type { FromHolder, ToHolder } from '../../src/wire/holder-protocol.ts';
import { WireError, type Schema } from '../../src/wire/schema.ts';
import { framesFromHolder, framesToHolder } from './arbitrary-frames.ts';
import { holdsForAnyFrame, outcomeOf } from './hostile-frames.ts';

describe('frames to a holder', () => {
  holdsForAnyFrame(toHolder, encodeToHolder, framesToHolder, []);
});

describe('frames from a holder', () => {
  holdsForAnyFrame(fromHolder, encodeFromHolder, framesFromHolder, ['record', 'answer']);
});

const confinement = {
  by: 'landlock',
  scope: '/p',
  read: ['/a'],
  write: [],
  network: false,
  unixSockets: false,
  denyReport: true,
} as const;
const REQUESTS: readonly ToHolder[] = [
  { type: 'hello', protocol: 2, token: 'secret' },
  { type: 'prepare', id: 1, confinement },
  {
    type: 'start',
    id: 2,
    request: {
      tool: 'git_status',
      steps: [
        {
          command: ['git', 'status', '漢\n'],
          cwd: '/p',
          delayMs: 3,
          environment: { PATH: '/bin', __proto__x: '' },
          confinement,
        },
      ],
      scope: '/p',
      budgetBytes: 7,
      session: 's',
      timeoutMs: 9,
      output: 'separate',
    },
  },
  { type: 'cancel', id: 3, operation: 'op-aaaaaa' },
  { type: 'end', id: 4, operation: 'op-aaaaaa', leader: { pid: 5, startTime: '6' } },
  { type: 'ask', id: 5, ask: { do: 'list' } },
  { type: 'leave', id: 5 },
  { type: 'ping', id: 0 },
];
const ANSWERS: readonly FromHolder[] = [
  { type: 'welcome', pid: 4 },
  { type: 'started', id: 1, record: { operation_id: 'op-aaaaaa' } },
  { type: 'done', id: 1 },
  { type: 'answer', id: 5, answer: { terminals: [] } },
  { type: 'news', news: { news: 'shown', terminal: 'term-aaaaaa' } },
  { type: 'changed', operation: 'op-aaaaaa', isOver: true },
  { type: 'refused', id: 1, code: 'X', message: 'm', suggestion: 's', detail: 'd', isRetryable: true },
  { type: 'refused', code: 'X', message: 'm', suggestion: 's', isRetryable: false, isDelivered: true },
];

/** All frames in bytes that arrive in pieces. */
function read<T>(schema: Schema<T>, bytes: Buffer, size: number): T[] {
  const reader = new FrameReader(schema);
  const frames: T[] = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(...reader.push(bytes.subarray(at, at + size)));
  return frames;
}

function faultOf(piece: Buffer): unknown {
  try {
    new FrameReader(toHolder).push(piece);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the wire', () => {
  it('delivers frames as they were sent, in pieces of any size', () => {
    const [requests, answers] = [
      Buffer.concat(REQUESTS.map((frame) => encodeToHolder(frame))),
      Buffer.concat(ANSWERS.map((frame) => encodeFromHolder(frame))),
    ];
    for (const size of [1, 2, 7, 64, requests.length + answers.length]) {
      expect(read(toHolder, requests, size)).toEqual(REQUESTS);
      expect(read(fromHolder, answers, size)).toEqual(ANSWERS);
    }
  });

  it('accepts only valid frames', () => {
    const broken = REQUESTS.flatMap((frame) => mutations(frame)).filter(
      (frame) => !REQUESTS.includes(frame as never),
    );
    expect(broken.length).toBeGreaterThan(50);
    for (const frame of broken) expect(() => toHolder.parse(frame)).toThrow(WireError);
  });

  it('turns any bytes into frames or a WireError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.anything(), (bytes, value) => {
        for (const piece of [Buffer.from(bytes), Buffer.from(`${JSON.stringify(value) ?? ''}\n`)])
          expect(faultOf(piece)).toSatisfy((error) => error === undefined || error instanceof WireError);
      }),
      { numRuns: 400 },
    );
  });

  it('buffers no more than the limit', () => {
    const reader = new FrameReader(toHolder, 100);
    expect(() => {
      for (let index = 0; index < 20; index += 1) reader.push(Buffer.alloc(10, '{'));
    }).toThrow(WireError);
  });
});

describe('an error', () => {
  it.each([
    [
      { type: 'prepare', id: 1, confinement: { ...confinement, by: 'magic' } },
      '"confinement.by" of a frame must be one of landlock, bubblewrap, none',
    ],
    [
      { type: 'cancel', id: -1, operation: 'op' },
      '"id" of a frame must be a whole number from 0 to 9007199254740991',
    ],
    [{ type: 'ask', id: 1, ask: { do: 'dance' } }, '"ask.do" of a frame must be one of open, list, '],
    [{ type: 'hello', protocol: 2 }, '"token" of a frame must be text'],
    [
      { type: 'start', id: 1, request: { tool: 't', steps: [{ command: ['', 'x'] }] } },
      '"request.steps[0].command" of a frame must be a list of strings that begins with a program',
    ],
    [[], 'a frame must be an object'],
  ])('is described in plain words: %j', (frame, words) => {
    expect(() => toHolder.parse(frame)).toThrow(words);
  });

  it('names its place in a list and does not quote the input', () => {
    const step = {
      command: ['git'],
      cwd: '/',
      environment: {},
      confinement: { ...confinement, read: ['/', 7] },
    };
    const request = { tool: 't', steps: [step], scope: '/', session: 's', output: 'merged', budgetBytes: 1 };
    expect(() => toHolder.parse({ type: 'start', id: 1, request })).toThrow(
      '"request.steps[0].confinement.read[1]" of a frame must be text',
    );
    const wrong = { ...step, environment: { SECRET: ['hunter2'] } };
    const { error } = {
      error: undefined,
      ...outcomeOf(toHolder, { type: 'start', id: 1, request: { ...request, steps: [wrong] } }),
    };
    expect(String(error)).toBe(
      'WireError: "request.steps[0].environment" of a frame must be an object whose members are strings',
    );
  });
});

/** Variants of the frame with each required part removed or of another type. */
function mutations(frame: object): Record<string, unknown>[] {
  const optional = new Set(['delayMs', 'timeoutMs', 'leader']);
  return Object.entries(frame).flatMap(([key, value]): Record<string, unknown>[] => {
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    const deeper =
      typeof inner === 'object' && inner !== null && key !== 'environment'
        ? mutations(inner).map((part) => ({ ...frame, [key]: Array.isArray(value) ? [part] : part }))
        : [];
    const { [key]: _, ...without } = frame as Record<string, unknown>;
    return [
      ...deeper,
      ...(optional.has(key) ? [] : [without]),
      { ...frame, [key]: [{}] },
      { ...frame, [key]: null },
    ];
  });
}
