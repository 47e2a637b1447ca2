import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDocuments } from '../../../src/platform/node/documents/documents.ts';
import { parseToml } from '../../../src/platform/node/documents/toml-library.ts';
import type { EditedDocument } from '../../../src/ports/documents.ts';

const documents = createDocuments();
const ENTRY = { type: 'stdio', command: 'desk', args: ['mcp', '--read-only'] };
const RUNS = { numRuns: 400, seed: 20_261_122 };

const space = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\r\n',
  '\n  ',
  '\t',
  '\n\t\t',
  ' // c "x": {\n',
  '/* , } */',
  ' /* a\nb */ ',
);
const key = fc.constantFrom('a', 'b', 'x y', 'constructor', '__proto__', 'é"\\', '//', 'deskterity2');
const scalar = fc.oneof(
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('1', '-2.5e3', 'true', 'null', '"// no"', '"}"', '"\\u20ac"'),
);

const property = (name: fc.Arbitrary<string>, inner: fc.Arbitrary<string>) =>
  fc
    .tuple(space, name, space, space, inner, space)
    .map(([a, called, b, c, held, d]) => `${a}${JSON.stringify(called)}${b}:${c}${held}${d}`);

/** Objects as people write them: any space, comments, commas at the end, keys twice. */
function object(inner: fc.Arbitrary<string>, last = fc.constant<string[]>([])): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(property(key, inner), { maxLength: 4 }), last, fc.nat(), fc.boolean(), space)
    .map(([some, more, at, comma, rest]) => {
      const all = some.toSpliced(at % (some.length + 1), 0, ...more);
      return `{${all.join(',')}${comma && all.length > 0 ? ',' : ''}${rest}}`;
    });
}

const value = fc.oneof(
  scalar,
  object(scalar),
  fc.array(scalar, { maxLength: 3 }).map((list) => `[${list.join(', ')}]`),
);
const servers = fc.array(property(fc.constant('servers'), object(value)), { maxLength: 2 });
const document = fc
  .tuple(space, object(value, servers), space, fc.constantFrom('', '\n', '\r\n'))
  .map((parts) => parts.join(''));

const PATH = ['servers', 'deskterity'];
const jsonc = (text: string): EditedDocument => ({ format: 'jsonc', text, file: 'x' });

/** Whether `after` is `before` with pieces put in. */
function holdsInOrder(before: string, after: string): boolean {
  let at = 0;
  for (const character of after) if (before.startsWith(character, at)) at += character.length;
  return at === before.length;
}

it('keeps every byte of a JSON document, and restores it', () => {
  let exact = 0;
  let all = 0;
  fc.assert(
    fc.property(document, (text) => {
      const installed = documents.set(jsonc(text), PATH, ENTRY);
      expect(holdsInOrder(text, installed)).toBe(true);
      expect(documents.set(jsonc(installed), PATH, ENTRY)).toBe(installed);
      expect(documents.entry(jsonc(installed), PATH)).toEqual(ENTRY);
      const changed = documents.set(jsonc(installed), PATH, { ...ENTRY, args: ['mcp'] });
      expect(documents.set(jsonc(changed), PATH, ENTRY).replaceAll(/\s/g, '')).toBe(
        installed.replaceAll(/\s/g, ''),
      );
      const without = documents.remove(jsonc(installed), PATH);
      // The empty table of servers stays: nobody can tell who made it.
      const isMadeByUs = documents.entry(jsonc(text), ['servers']) === undefined;
      const removed = isMadeByUs ? documents.remove(jsonc(without), ['servers']) : without;
      all += 1;
      if (removed === text) exact += 1;
      // Space in an object that is left empty goes; nothing else does.
      expect(removed.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      expect(documents.remove(jsonc(removed), PATH)).toBe(removed);
    }),
    RUNS,
  );
  expect(exact / all).toBeGreaterThan(0.7);
});

const bare = fc.constantFrom('a', 'b-c', '"x y"', "'q.r'", 'd . e', '"\\u0061b"');
const tomlValue = fc.constantFrom(
  '1',
  '"text # no"',
  "'C:\\'",
  '"""\n[mcp_servers.deskterity]\ncommand = "x"\n"""',
  "'''a\n''''",
  '"""q\\""""""',
  '[1, # one\n  2,\n]',
  '{ x = "}", y = [1] }',
  '1979-05-27T07:32:00Z',
  '[[1], ["]"]]',
);
const comment = fc.constantFrom('', ' # c', ' # [x] "', '\n\n# own', '\n');
const toml = fc
  .array(
    fc.oneof(
      fc.tuple(bare, tomlValue, comment).map(([name, text, rest]) => `${name} = ${text}${rest}`),
      fc.tuple(bare, comment).map(([name, rest]) => `[${name}]${rest}`),
      fc.tuple(bare, comment).map(([name, rest]) => `  [[l.${name}]]${rest}`),
      fc
        .tuple(fc.constantFrom('x', 'deskterity2'), comment)
        .map(([name, rest]) => `[mcp_servers.${name}]${rest}\ncommand = "c"`),
    ),
    { maxLength: 8 },
  )
  .chain((lines) => fc.tuple(fc.constant(lines), fc.constantFrom('\n', '\r\n'), fc.boolean()))
  .map(([lines, eol, ends]) => lines.join('\n').replaceAll('\n', eol) + (ends && lines.length > 0 ? eol : ''))
  .filter((text) => parseToml(text).problem === undefined);

it('keeps every byte of a TOML document, and restores it', () => {
  const path = ['mcp_servers', 'deskterity'];
  const of = (text: string): EditedDocument => ({ format: 'toml', text, file: 'x' });
  fc.assert(
    fc.property(toml, (text) => {
      const installed = documents.set(of(text), path, ENTRY);
      expect(installed.startsWith(text)).toBe(true);
      expect(documents.set(of(installed), path, ENTRY)).toBe(installed);
      const more = `${installed}[z]\ny = 1\n`;
      const changed = documents.set(of(more), path, { ...ENTRY, args: ['mcp'] });
      expect(changed).not.toBe(more);
      expect(documents.set(of(changed), path, ENTRY)).toBe(more);
      const removed = documents.remove(of(installed), path);
      // A last line break that was missing stays, and one empty line at the end goes.
      expect(removed.trimEnd()).toBe(text.trimEnd());
      expect(documents.remove(of(removed), path)).toBe(removed);
    }),
    RUNS,
  );
});
