import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskLine } from '../../../src/model/configuration/mcp-clients/mask-line.ts';

const shown = new Set(['desk', 'mcp']);

it.each([
  ['    "command": "desk",', '    "command": "desk",'],
  [
    '  "a": { "token": "abc", "n": 12, "on": true, "x": null },',
    '  "a": { "token": "…", "n": …, "on": true, "x": null },',
  ],
  ['\t\t"a\u202Eb": 1, // x', '\t\t"a\\u{202E}b": …, // …'],
  ['"args": ["mcp", "--key", "abc"]', '"args": ["mcp", "…", "…"]'],
  ['"a": "b" // password abc', '"a": "…" // …'],
  ['/* abc', '// …'],
  ['[mcp_servers.deskterity] # abc', '[mcp_servers.deskterity] # …'],
  ['command = "desk"', 'command = "desk"'],
  ["a.'b c' = 'abc'", 'a.\'b c\' = "…"'],
  ['numbers = [1, 2, 123456]', 'numbers = […, …, …]'],
  ['inside of """ a text abc', '… … "…"… … … …'],
  ['"broken abc', '……… …'.slice(1)],
  ['"\\u0064esk"', '"\\u0064esk"'],
])('%s', (line, masked) => {
  expect(maskLine(line, shown)).toBe(masked);
});

it('shows no value, whatever is around it', () => {
  const noise = fc.string({
    unit: fc.constantFrom('"', "'", ' ', '{', '}', '[', ']', ',', '#', '/', '\\', 'é'),
    maxLength: 8,
  });
  fc.assert(
    fc.property(noise, noise, (before, after) => {
      // As a value of JSON or TOML: text before a colon or an equals sign is a key.
      expect(maskLine(`${before}: "s3cr3t/9"${after}`, shown)).not.toContain('s3cr3t');
    }),
    { numRuns: 5000, seed: 4 },
  );
});
