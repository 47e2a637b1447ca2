import { describe, expect, it } from 'vitest';
import { createDocuments } from '../../../src/platform/node/documents/documents.ts';
import type { EditedDocument } from '../../../src/ports/documents.ts';

const documents = createDocuments();
const ENTRY = { command: 'desk', args: ['mcp'] };

const json = (text: string, format: EditedDocument['format'] = 'jsonc'): EditedDocument => ({
  format,
  text,
  file: '/home/someone/settings.json',
});
const toml = (text: string): EditedDocument => json(text, 'toml');

function install(document: EditedDocument, path = ['mcpServers', 'deskterity'], entry = ENTRY): string {
  return documents.set(document, path, entry);
}

describe('JSON', () => {
  it.each([
    [
      'nothing',
      '',
      '{\n  "mcpServers": {\n    "deskterity": {\n      "command": "desk",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
    ],
    ['one line', '{"a":1}', '{"a":1,"mcpServers":{"deskterity":{"command":"desk","args":["mcp"]}}}'],
    [
      'one line with space',
      '{ "mcpServers": { "a": { "command": "x" } } }\n',
      '{ "mcpServers": { "a": { "command": "x" }, "deskterity": { "command": "desk", "args": ["mcp"] } } }\n',
    ],
    [
      'comments beside and below the last server',
      '{\n    "mcpServers": {\n        "a": {} // first\n        // "b": {}\n    }\n}',
      '{\n    "mcpServers": {\n        "a": {}, // first\n        "deskterity": {\n            "command": "desk",\n            "args": [\n                "mcp"\n            ]\n        }\n        // "b": {}\n    }\n}',
    ],
    [
      'a comma after the last server, tabs and Windows line breaks',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // x\r\n\t},\r\n}\r\n',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // x\r\n\t\t"deskterity": {\r\n\t\t\t"command": "desk",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n\t\t\t]\r\n\t\t},\r\n\t},\r\n}\r\n',
    ],
    [
      'an empty table with a comment',
      '{\n  "mcpServers": { // none yet\n  }\n}\n',
      '{\n  "mcpServers": { // none yet\n    "deskterity": {\n      "command": "desk",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
    ],
    [
      'comments only',
      '// mine',
      '// mine\n{\n  "mcpServers": {\n    "deskterity": {\n      "command": "desk",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
    ],
  ])('adds the entry to %s', (_, before, after) => {
    expect(install(json(before))).toBe(after);
    expect(install(json(after))).toBe(after);
  });

  it('changes only keys that differ, and keeps unknown ones', () => {
    const before =
      '{\n  "mcpServers": {\n    "deskterity": { // mine\n      "args": ["mcp", "--read-only"],\n      "env": {"A": "1"},\n      "command": "desk"\n    }\n  }\n}';
    expect(install(json(before))).toBe(before.replace('["mcp", "--read-only"]', '["mcp"]'));
  });

  it.each([
    ['the last', '{ "mcpServers": { "a": 1, "deskterity": {} } }', '{ "mcpServers": { "a": 1 } }'],
    ['the first', '{ "mcpServers": { "deskterity": {}, "a": 1 } }', '{ "mcpServers": { "a": 1 } }'],
    ['the only one', '{"mcpServers":{ "deskterity": {} }}', '{"mcpServers":{}}'],
    [
      'one before a brace that a comment must not swallow',
      '{"mcpServers": {\n  "a": 1, // x\n  "deskterity": {} }}',
      '{"mcpServers": {\n  "a": 1 // x\n   }}',
    ],
    [
      'one of several of that name',
      '{\n"mcpServers": {\n"deskterity": {},\n"a": 1,\n"deskterity": {}\n}\n}',
      '{\n"mcpServers": {\n"a": 1\n}\n}',
    ],
  ])('removes %s', (_, before, after) => {
    expect(documents.remove(json(before), ['mcpServers', 'deskterity'])).toBe(after);
  });

  it.each([
    ['{\n  "a": 1,\n  "b" 2\n}', 'line 3, column 7: colon expected'],
    ['{"a": 1', 'line 1, column 8: close brace expected'],
    ['{"a": 1} x', 'line 1, column 10: '],
    ['['.repeat(5000), 'nested too deeply'],
  ])('reports where %s is wrong', (text, place) => {
    expect(() => install(json(text))).toThrow(place);
    expect(() => documents.remove(json(text), ['x'])).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });

  it('rejects comments if the client does', () => {
    expect(() => install(json('{} // x', 'json'))).toThrow('line 1, column 4');
    expect(() => install(json('{"a":1,}', 'json'))).toThrow('line 1, column 8');
    expect(() => install(json('[]'))).toThrow('does not contain a JSON object');
    expect(() => install(json('{"mcpServers": null}'))).toThrow('mcpServers is not a table');
    expect(() => install(json('{"mcpServers": {"deskterity": 1}}'))).toThrow(
      'mcpServers.deskterity is not a table',
    );
  });

  it('handles names with a meaning in JavaScript', () => {
    const text = '{"__proto__": {"a": 1}, "constructor": {}}';
    const after = documents.set(json(text), ['mcpServers', 'constructor'], { command: 'x' });
    expect(after).toContain('{"__proto__": {"a": 1}, "constructor": {}');
    expect(documents.entry(json(text), ['mcpServers', 'constructor'])).toBeUndefined();
    expect(documents.entry(json(after), ['mcpServers', 'constructor'])).toEqual({ command: 'x' });
  });
});

describe('TOML', () => {
  const path = ['mcp_servers', 'deskterity'];
  const table = '[mcp_servers.deskterity]\ncommand = "desk"\nargs = ["mcp"]\n';

  it.each([
    ['nothing', '', table],
    ['settings', 'model = "x" # mine\n', `model = "x" # mine\n\n${table}`],
    ['a text without a last line break', '[a]\nb = 1', `[a]\nb = 1\n\n${table}`],
    ['Windows line breaks', '[a]\r\nb = 1\r\n', `[a]\r\nb = 1\r\n\r\n${table.replaceAll('\n', '\r\n')}`],
  ])('adds the table to %s', (_, before, after) => {
    expect(install(toml(before), path)).toBe(after);
    expect(install(toml(after), path)).toBe(after);
  });

  it('changes only keys that differ, wherever they are', () => {
    const before = [
      'a = """',
      '[mcp_servers.deskterity]',
      'command = "no"',
      '"""',
      "[mcp_servers.'deskterity'] # mine",
      'env = { A = "]#" } # kept',
      'args = [ # old',
      '  "mcp", "--read-only",',
      '] # and this',
      '# end',
      '[mcp_servers.deskterity.tools]',
      'x = 1',
      '',
    ].join('\n');
    const after = install(toml(before), path);
    expect(after).toBe(
      before
        .replace('[ # old\n  "mcp", "--read-only",\n]', '["mcp"]')
        .replace('# and this\n', '# and this\ncommand = "desk"\n'),
    );
    expect(documents.remove(toml(after), path)).toBe(`${before.split('\n').slice(0, 4).join('\n')}\n# end\n`);
  });

  it('reports an entry in a form that cannot be edited', () => {
    for (const text of [
      'mcp_servers = { deskterity = { command = "x" } }',
      '[mcp_servers]\ndeskterity = { command = "x" }',
      'mcp_servers = {}',
      'mcp_servers.deskterity.command = "x"',
    ])
      expect(() => install(toml(text), path)).toThrow('cannot be edited without changing more');
  });

  it('removes it in every form with its own lines', () => {
    for (const text of [
      '[mcp_servers]\ndeskterity = { command = "x" } # c\n',
      'mcp_servers.deskterity.command = "x"\n',
    ])
      expect(documents.remove(toml(`a = 1\n${text}`), path)).toMatch(/^a = 1\n(?:\[mcp_servers\]\n)?$/);
  });

  it('reports where a text is wrong', () => {
    expect(() => install(toml('a = 1\nb = [1,\n'), path)).toThrow(/not valid TOML at line \d+, column \d+/);
  });
});
