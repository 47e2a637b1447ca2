import { describe, expect, it } from 'vitest';
import { violations } from '../../scripts/check-rooms.mjs';

function check(...files: [string, string][]): string[] {
  return violations(files);
}

describe('what a room may import', () => {
  it.each([
    ['model/a.ts', "import { z } from 'zod';"],
    [
      'commands/a.ts',
      "import { defineCommand } from '../registry/define.ts';\nimport { resolve } from 'node:path';",
    ],
    ['registry/define.ts', "import type { Engine } from '../engine/engine.ts';"],
    ['platform/select.ts', "await import('./linux/linux-desktop.ts');"],
    ['platform/linux/display/x11/x11-library.ts', "import x11 from 'x11';"],
    ['platform/linux/display/wayland/a.ts', "import { a } from '../keys/a.ts';"],
    ['platform/linux/a.ts', 'if (process.platform) {}'],
    // The names of sandboxes in configuration and answers are in one list.
    ['model/a.ts', "export const SANDBOX_NAMES = ['landlock'] as const;"],
    ['surfaces/cli/main.ts', "import { nearest } from '../../model/text/nearest.ts';"],
    ['engine/a.ts', "// import { a } from '../app/host.ts';\n/* import b from '../surfaces/cli/main.ts' */"],
  ])('%s: %s', (file, text) => {
    expect(check([file, text])).toEqual([]);
  });

  it.each([
    ['model/a.ts', "import fs from 'node:fs';", 'imports node:fs, but model/ does no I/O'],
    [
      'model/a.ts',
      "import type { Engine } from '../engine/engine.ts';",
      'imports engine/engine.ts; model/ may import nothing',
    ],
    [
      'commands/a.ts',
      "import { invoke } from '../registry/invoke.ts';",
      'imports registry/invoke.ts; commands/ may import',
    ],
    ['commands/a.ts', "export { a } from '../engine/engine.ts';", 'imports engine/engine.ts'],
    ['commands/a.ts', "import {\n  a,\n  b,\n} from '../app/host.ts';", 'imports app/host.ts'],
    ['surfaces/cli/a.ts', "import { z } from 'zod';", 'imports the package zod'],
    [
      'surfaces/cli/a.ts',
      "const { a } = await import('../../app/production.ts');",
      'imports app/production.ts',
    ],
    ['surfaces/mcp/a.ts', "import '../../engine/engine.ts';", 'imports engine/engine.ts'],
    ['app/a.ts', "import '../platform/linux/a.ts';", 'imports platform/linux/a.ts'],
    ['platform/linux/a.ts', "import { a } from '../macos/a.ts';", 'imports platform/macos/a.ts'],
    [
      'platform/linux/display/wayland/wlroots/a.ts',
      "import { a } from '../../x11/a.ts';",
      'imports platform/linux/display/x11/a.ts, which is of another system',
    ],
    [
      'platform/linux/display/x11/a.ts',
      "import { a } from '../wayland/wire/a.ts';",
      'imports platform/linux/display/wayland/wire/a.ts, which is of another system',
    ],
    [
      'platform/linux/a.ts',
      "import x11 from 'x11';",
      'which only src/platform/linux/display/x11/x11-library.ts may',
    ],
    ['platform/paths.ts', "import { a } from './node/files.ts';", 'imports platform/node/files.ts'],
    ['image/png.ts', "import jpeg from 'jpeg-js';", 'which only src/image/jpeg.ts may'],
    ['engine/a.ts', "import a from '@scope/name/deep';", 'imports the package @scope/name'],
    ['engine/a.ts', "import a from '../../tests/a.ts';", 'outside src'],
    ['engine/a.ts', "if (process.platform === 'linux') {}", 'checks the platform'],
    ['engine/a.ts', '// A fact about X11.', 'contains "x11"; only src/platform may use platform terms'],
    ['app/a.ts', "readFileSync('/proc/1/stat');", 'contains "/proc"'],
    ['app/a.ts', "if (by === 'landlock') run();", 'contains "landlock"'],
    ['cellar/a.ts', '', 'its room is not in the table'],
  ])('%s: %s is refused', (file, text, problem) => {
    const found = check([file, text]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${file}: `);
    expect(found[0]).toContain(problem);
  });
});

it('lists rooms and files that import each other, as well as the imports themselves', () => {
  const found = check(['engine/a.ts', "import '../ports/b.ts';"], ['ports/b.ts', "import '../engine/a.ts';"]);
  expect(found).toEqual([
    'ports/b.ts: imports engine/a.ts; ports/ may import model/',
    'engine/a.ts: is in an import cycle (engine/a.ts, ports/b.ts)',
    'ports/b.ts: is in an import cycle (engine/a.ts, ports/b.ts)',
    'rooms import each other: engine/, ports/',
  ]);
});

it('refuses a folder with too many files', () => {
  const files = Array.from({ length: 26 }, (_, at): [string, string] => [`engine/input/a${at}.ts`, '']);
  expect(check(...files)).toEqual(['engine/input/: has 26 files; with more than 25, divide it into folders']);
  expect(check(...files.slice(1))).toEqual([]);
});

it('allows platform terms in the names of settings', () => {
  expect(check(['app/a.ts', 'const { WAYLAND_DISPLAY } = environment; // DBUS_SESSION_BUS_ADDRESS'])).toEqual(
    [],
  );
});
