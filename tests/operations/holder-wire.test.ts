import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFromHolder, parseToHolder } from '../../src/operations/holder/holder-wire.ts';
import type { FromHolder, ToHolder } from '../../src/operations/holder/holder-wire.ts';
import { FrameError, LineReader, toLine } from '../../src/operations/holder/line-frames.ts';

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
  { type: 'ask', id: 5, ask: {} },
  { type: 'leave', id: 5 },
];
const ANSWERS: readonly FromHolder[] = [
  { type: 'welcome', pid: 4 },
  { type: 'started', id: 1, record: { operation_id: 'op-aaaaaa' } },
  { type: 'done', id: 1 },
  { type: 'answer', id: 5, answer: { terminals: [] } },
  { type: 'news', news: { news: 'shown' } },
  { type: 'changed', operation: 'op-aaaaaa', isOver: true },
  { type: 'refused', id: 1, code: 'X', message: 'm', suggestion: 's', detail: 'd', isRetryable: true },
  { type: 'refused', code: 'X', message: 'm', suggestion: 's', isRetryable: false, isDelivered: true },
];

/** Everything that a text says when it comes in pieces. */
function read(bytes: Buffer, size: number): unknown[] {
  const reader = new LineReader();
  const frames: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(...reader.push(bytes.subarray(at, at + size)));
  return frames;
}

function faultOf(piece: Buffer): unknown {
  try {
    new LineReader().push(piece).map(parseToHolder);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the wire', () => {
  it('brings frames as they were sent, in pieces of any size', () => {
    const bytes = Buffer.concat([...REQUESTS, ...ANSWERS].map(toLine));
    for (const size of [1, 2, 7, 64, bytes.length]) {
      const frames = read(bytes, size).map((frame) => Object(frame) as Record<string, unknown>);
      expect(frames.slice(0, REQUESTS.length).map(parseToHolder)).toEqual(REQUESTS);
      expect(frames.slice(REQUESTS.length).map(parseFromHolder)).toEqual(ANSWERS);
    }
  });

  it('takes nothing that is not what it must be', () => {
    const broken = REQUESTS.flatMap((frame) => mutations(frame)).filter(
      (frame) => !REQUESTS.includes(frame as never),
    );
    expect(broken.length).toBeGreaterThan(50);
    for (const frame of broken) expect(() => parseToHolder(frame)).toThrow(FrameError);
  });

  it('survives any bytes with an error of its own', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.anything(), (bytes, value) => {
        for (const piece of [Buffer.from(bytes), Buffer.from(`${JSON.stringify(value) ?? ''}\n`)])
          expect(faultOf(piece)).toSatisfy((error) => error === undefined || error instanceof FrameError);
      }),
      { numRuns: 400 },
    );
  });

  it('holds no more than it may', () => {
    const reader = new LineReader(100);
    expect(() => {
      for (let index = 0; index < 20; index += 1) reader.push(Buffer.alloc(10, 65));
    }).toThrow(FrameError);
  });
});

/** The frame with each required part left out, and with a value of another kind. */
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
