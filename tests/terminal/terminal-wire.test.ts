import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameError } from '../../src/operations/holder/line-frames.ts';
import type { Parsed } from '../../src/operations/holder/line-frames.ts';
import { parseReading } from '../../src/terminal/sessions/screen-frames.ts';
import { readLines, readScreen } from '../../src/terminal/screen/screen.ts';
import { newsFrame, parseNews } from '../../src/terminal/sessions/terminal-answers.ts';
import type { TerminalNews } from '../../src/terminal/sessions/terminal-answers.ts';
import { askFrame, parseAsk } from '../../src/terminal/sessions/terminal-asks.ts';
import type { TerminalAsk } from '../../src/terminal/sessions/terminal-asks.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';

const terminal = 'term-aaaaaa';
const waits = { interruptMs: 1, terminateMs: 2 };
const ASKS: readonly TerminalAsk[] = [
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
  { do: 'attach', terminal, size: { columns: 2, rows: 1 } },
  { do: 'kill', terminal, waits },
];

/** As it comes out at the other end. */
function sent(frame: Parsed): Parsed {
  return JSON.parse(JSON.stringify(frame)) as Parsed;
}

describe('what is asked', () => {
  it.each(ASKS)('$do comes as it was sent', (ask) => {
    expect(parseAsk(sent(askFrame(ask)))).toEqual(ask);
  });

  it.each(ASKS.filter((ask) => ask.do !== 'list'))('$do with anything missing or wrong is refused', (ask) => {
    const frame = sent(askFrame(ask));
    for (const key of Object.keys(frame))
      for (const wrong of [undefined, null, [], -1, 1.5])
        expect(() => parseAsk({ ...frame, [key]: wrong }), `${key} ${String(wrong)}`).toThrow(FrameError);
  });

  it('anything else is a FrameError and nothing worse', () => {
    const faultOf = (frame: Parsed): unknown => {
      try {
        parseAsk(frame);
        return undefined;
      } catch (error) {
        return error;
      }
    };
    const keys = fc.constantFrom('do', 'terminal', 'request', 'size');
    fc.assert(
      fc.property(fc.dictionary(keys, fc.anything()), (frame) => {
        expect(faultOf(frame)).toSatisfy((error) => error === undefined || error instanceof FrameError);
      }),
    );
  });

  it('has bounds for what would cost the holder memory or time', () => {
    for (const ask of [
      { do: 'lines', terminal, most: 1e9 },
      { do: 'resize', terminal, size: { columns: 1e6, rows: 2 } },
      { do: 'resize', terminal, size: { columns: 1, rows: 2 } },
      { do: 'attach', terminal, size: { columns: 80, rows: 0 } },
      { do: 'kill', terminal, waits: { interruptMs: 1e12, terminateMs: 0 } },
    ])
      expect(() => parseAsk(ask)).toThrow(FrameError);
  });
});

describe('what a holder tells', () => {
  it.each<TerminalNews>([
    { news: 'shown', terminal },
    { news: 'exited', terminal },
    { news: 'bytes', terminal, bytes: Buffer.from([0, 200, 27]) },
  ])('$news comes as it was sent', (news) => {
    expect(parseNews(sent(newsFrame(news)))).toEqual(news);
    expect(() => parseNews({ ...newsFrame(news), terminal: 7 })).toThrow(FrameError);
  });

  it('of a screen is the same at the other end', async () => {
    const emulator = new TerminalEmulator({ size: { columns: 20, rows: 4 } });
    await emulator.feed(Buffer.from('1\r\n2\r\n3\r\n4\r\n\u001B[7mfive\u001B[0m 漢\r\n6'));
    const reading = { screen: readScreen(emulator), scrollback: readLines(emulator, 10) };
    expect(parseReading(sent({ ...reading }))).toEqual(reading);
    expect(() => parseReading(sent({ ...reading, scrollback: [1] }))).toThrow(FrameError);
  });
});
