import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, readScreen } from '../../src/terminal/screen/screen.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';
import { WireError } from '../../src/wire/schema.ts';
import {
  requestToJson,
  eventToJson,
  parseTerminalAnswer,
  terminalRequest,
  terminalEvent,
} from '../../src/wire/terminal-protocol.ts';
import { toLine } from '../../src/wire/frames.ts';
import type { TerminalHolderRequest, TerminalHolderEvent } from '../../src/wire/terminal-protocol.ts';
import { terminalRequests, terminalEvents } from './arbitrary-frames.ts';
import { holdsForAnyFrame, outcomeOf, overTheWire } from './hostile-frames.ts';

const encodeAsk = (ask: TerminalHolderRequest) => toLine(requestToJson(ask));
const encodeNews = (news: TerminalHolderEvent) => toLine(eventToJson(news));

describe('any request', () => {
  holdsForAnyFrame(terminalRequest, encodeAsk, terminalRequests, []);
});

describe('any event', () => {
  holdsForAnyFrame(terminalEvent, encodeNews, terminalEvents, []);
});

const terminal = 'term-aaaaaa';
const waits = { interruptMs: 1, terminateMs: 2 };
const ASKS: readonly TerminalHolderRequest[] = [
  {
    do: 'open',
    start: {
      name: { projectPath: '/p', tag: 't' },
      shell: '/bin/sh',
      environment: { A: 'b' },
      cwd: '/p',
      confinement: {
        by: 'none',
        scope: '/p',
        read: ['/r'],
        write: [],
        network: true,
        unixSockets: false,
        denyReport: false,
      },
      size: { columns: 80, rows: 24 },
      budgetBytes: 1,
    },
  },
  { do: 'list' },
  { do: 'facts', terminal },
  { do: 'watch', terminal },
  {
    do: 'run',
    terminal,
    request: {
      command: 'a\nb',
      isBackground: true,
      waitMs: 0,
      lines: 5,
      interrupt: waits,
      clear: false,
    },
  },
  { do: 'lines', terminal, most: 3 },
  { do: 'read', terminal, scrollbackLines: 9 },
  { do: 'write', terminal, bytes: Buffer.from([0, 255, 10]), byPerson: true },
  { do: 'attach', terminal, size: { columns: 8, rows: 2 } },
  { do: 'kill', terminal, waits },
];

describe('requests', () => {
  it.each(ASKS)('$do arrives as it was sent', (ask) => {
    expect(terminalRequest.parse(overTheWire(encodeAsk(ask)))).toEqual(ask);
  });

  it.each(ASKS.filter((ask) => ask.do !== 'list'))('$do with anything missing or wrong is refused', (ask) => {
    const frame = overTheWire(encodeAsk(ask));
    for (const key of Object.keys(frame))
      for (const wrong of [undefined, null, [], -1, 1.5])
        expect(() => terminalRequest.parse({ ...frame, [key]: wrong }), `${key} ${String(wrong)}`).toThrow(
          WireError,
        );
  });

  it('anything else causes only a WireError', () => {
    const keys = fc.constantFrom('do', 'terminal', 'request', 'size');
    fc.assert(
      fc.property(fc.dictionary(keys, fc.anything()), (frame) => {
        const { error } = { error: undefined, ...outcomeOf(terminalRequest, frame) };
        expect(error).toSatisfy((each) => each === undefined || each instanceof WireError);
      }),
    );
  });

  it('bound what would cost the holder memory or time', () => {
    for (const ask of [
      { do: 'lines', terminal, most: 1e9 },
      { do: 'resize', terminal, size: { columns: 1e6, rows: 2 } },
      { do: 'resize', terminal, size: { columns: 1, rows: 2 } },
      { do: 'attach', terminal, size: { columns: 80, rows: 0 } },
      { do: 'kill', terminal, waits: { interruptMs: 1e12, terminateMs: 0 } },
    ])
      expect(() => terminalRequest.parse(ask)).toThrow(WireError);
  });
});

describe('answers and events of a holder', () => {
  it.each<TerminalHolderEvent>([
    { news: 'shown', terminal },
    { news: 'exited', terminal },
    { news: 'bytes', terminal, bytes: Buffer.from([0, 200, 27]) },
  ])('$news arrives as it was sent', (news) => {
    expect(terminalEvent.parse(overTheWire(encodeNews(news)))).toEqual(news);
    expect(() => terminalEvent.parse({ ...overTheWire(encodeNews(news)), terminal: 7 })).toThrow(WireError);
  });

  it('of a screen are the same at the other end', async () => {
    const emulator = new TerminalEmulator({ size: { columns: 20, rows: 4 } });
    await emulator.feed(Buffer.from('1\r\n2\r\n3\r\n4\r\n\u001B[7mfive\u001B[0m 漢\r\n6'));
    const reading = { screen: readScreen(emulator), scrollback: readLines(emulator, 10) };
    const ask = { do: 'read', terminal, scrollbackLines: 10 } as const;
    expect(parseTerminalAnswer(ask, JSON.parse(JSON.stringify(reading)))).toEqual(reading);
    const wrong = JSON.parse(JSON.stringify({ ...reading, scrollback: [1] }));
    expect(() => parseTerminalAnswer(ask, wrong)).toThrow('"scrollback[0]" of a frame must be an object');
  });

  it('accept only Base64 for bytes', () => {
    for (const bytes of [
      'YQ',
      'YQ==YQ==',
      '====',
      'Y!==',
      'YW Jj',
      '\u0000',
      'ä===',
      [97],
      { type: 'Buffer', data: [97] },
    ])
      expect(() => terminalEvent.parse({ news: 'bytes', terminal, bytes })).toThrow('must be');
    expect(terminalEvent.parse({ news: 'bytes', terminal, bytes: '' })).toEqual({
      news: 'bytes',
      terminal,
      bytes: Buffer.alloc(0),
    });
  });

  it('encode a part of a larger buffer correctly', () => {
    const bytes = new Uint8Array(Buffer.from('0123456789').buffer, 2, 3);
    const whole = new Uint8Array([1, 2, 3, 4, 5]);
    for (const part of [bytes, whole.subarray(1, 4)])
      expect(terminalEvent.parse(overTheWire(encodeNews({ news: 'bytes', terminal, bytes: part })))).toEqual({
        news: 'bytes',
        terminal,
        bytes: Buffer.from(part),
      });
  });

  it('are validated against the request', () => {
    const killed = { do: 'kill', terminal, waits } as const;
    expect(parseTerminalAnswer(killed, { count: 2, more: 1 })).toEqual({ count: 2 });
    for (const answer of [{}, { count: '2' }, { terminals: [] }])
      expect(() => parseTerminalAnswer(killed, answer)).toThrow('"count" of a frame must be a whole number');
    expect(() => parseTerminalAnswer({ do: 'list' }, { terminals: [{}] })).toThrow('"terminals[0].id"');
  });
});
