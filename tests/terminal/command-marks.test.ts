import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandMarks, type Mark, type Piece } from '../../src/terminal/shells/command-marks.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const text = (mark: string, token = TOKEN): Buffer => Buffer.from(`\u{1B}]8571;${token};${mark}\u{7}`);

const KNOWN: readonly (readonly [string, Mark])[] = [
  ['p;0;0;/home/é; x', { kind: 'prompt', sequence: 0, exitCode: 0, cwd: '/home/é; x' }],
  ['p;7;130;', { kind: 'prompt', sequence: 7, exitCode: 130 }],
  ['x;12;', { kind: 'line', sequence: 12 }],
  ['x;12;;', { kind: 'line', sequence: 12 }],
  ['b;3', { kind: 'begin', sequence: 3 }],
  ['e;3;255;/', { kind: 'end', sequence: 3, exitCode: 255, cwd: '/' }],
  ['e;3;258;relative', { kind: 'end', sequence: 3, exitCode: 130 }],
];

/** Pieces with adjacent output joined, as text of one byte per character. */
function joined(pieces: readonly Piece[], rest: Uint8Array): (Mark | string)[] {
  const found: (Mark | string)[] = [];
  const add = (bytes: Uint8Array): void => {
    const output = Buffer.from(bytes).toString('latin1');
    const last = found.at(-1);
    if (typeof last === 'string') found[found.length - 1] = last + output;
    else if (output !== '') found.push(output);
  };
  for (const piece of pieces)
    if (piece.kind === 'mark') found.push(piece.mark);
    else add(piece.bytes);
  add(rest);
  return found;
}

function read(bytes: Uint8Array, cuts: readonly number[] = []): (Mark | string)[] {
  const marks = new CommandMarks(TOKEN);
  const pieces: Piece[] = [];
  let from = 0;
  for (const cut of [...cuts].map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)) {
    pieces.push(...marks.push(bytes.subarray(from, cut)));
    from = cut;
  }
  pieces.push(...marks.push(bytes.subarray(from)));
  return joined(pieces, marks.flush());
}

describe('CommandMarks', () => {
  it.each(KNOWN)('reads %s', (body, mark) => {
    expect(read(text(body))).toEqual([mark]);
  });

  it.each(['q;1;0;', 'p;;0;', 'p;1;;', 'p;1;1000;', 'b', 'p;-1;0;/', 'e;1;x;/'])(
    'shows nothing of %s, which means nothing',
    (body) => {
      expect(read(Buffer.concat([Buffer.from('a'), text(body), Buffer.from('b')]))).toEqual(['ab']);
    },
  );

  it.each([
    ['another token', text('e;1;0;/', `${TOKEN.slice(1)}f`)],
    ['no token', Buffer.from('\u{1B}]8571;e;1;0;/\u{7}')],
    ['a prefix of the token', text('e;1;0;/', TOKEN.slice(0, 31))],
    ['a token that goes on', text('e;1;0;/', `${TOKEN}0`)],
    ['a title', Buffer.from('\u{1B}]0;title\u{7}')],
    ['a mark that a control character breaks', Buffer.from(`\u{1B}]8571;${TOKEN};e;1;0\n;/\u{7}`)],
    ['a mark without an end', Buffer.from(`\u{1B}]8571;${TOKEN};e;1;0;/${'x'.repeat(7000)}\u{7}`)],
    ['the start of a mark', Buffer.from(`\u{1B}]8571;${TOKEN};e;1`)],
  ])('leaves %s unchanged', (_name, bytes) => {
    expect(read(bytes)).toEqual([bytes.toString('latin1')]);
  });

  it('does not invent the name of a folder that is not UTF-8', () => {
    const body = Buffer.concat([Buffer.from(`\u{1B}]8571;${TOKEN};e;1;0;/`), Buffer.from([255, 7])]);
    expect(read(body)).toEqual([{ kind: 'end', sequence: 1, exitCode: 0 }]);
  });

  it('finds a mark directly after a false beginning', () => {
    expect(read(Buffer.from(`\u{1B}\u{1B}]8571;${TOKEN}\u{1B}]8571;${TOKEN};b;1\u{7}`))).toEqual([
      `\u{1B}\u{1B}]8571;${TOKEN}`,
      { kind: 'begin', sequence: 1 },
    ]);
  });

  it('reads the same however the input is split', () => {
    const output = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(
        Buffer.from('\u{1B}'),
        Buffer.from('\u{1B}]8571;'),
        Buffer.from(`\u{1B}]8571;${TOKEN}`),
        Buffer.from('\u{1B}]8571;ffff;e;1;0;/\u{7}'),
        Buffer.from('\u{1B}]0;t\u{7}\r\n'),
        Buffer.from('漢字 é'),
      ),
    );
    const part = fc.oneof(
      output.map((bytes) => ({ bytes, mark: undefined })),
      fc.constantFrom(...KNOWN).map(([body, mark]) => ({ bytes: text(body), mark })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 20 }), (parts, cuts) => {
        const bytes = Buffer.concat(parts.map(({ bytes }) => bytes));
        const pieces: Piece[] = parts.map(({ bytes, mark }) =>
          mark === undefined ? { kind: 'output', bytes } : { kind: 'mark', mark },
        );
        expect(read(bytes, cuts)).toEqual(read(bytes));
        // Output that ends in the start of a mark never swallows the following mark, because marks begin with ESC.
        expect(read(bytes)).toEqual(joined(pieces, Buffer.alloc(0)));
      }),
      { numRuns: 500 },
    );
  });
});
