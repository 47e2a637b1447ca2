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
    ['platform/linux/x11/x11-library.ts', "import x11 from 'x11';"],
    ['platform/linux/a.ts', 'if (process.platform) {}'],
    ['cli/main.ts', "import { nearest } from '../model/nearest.ts';"],
    ['engine/a.ts', "// import { a } from '../host/host.ts';\n/* import b from '../cli/main.ts' */"],
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
    ['commands/a.ts', "import {\n  a,\n  b,\n} from '../host/host.ts';", 'imports host/host.ts'],
    ['cli/a.ts', "import { z } from 'zod';", 'imports the package zod'],
    ['cli/a.ts', "const { a } = await import('../host/production.ts');", 'imports host/production.ts'],
    ['cli/a.ts', "import '../model/errors.ts';", 'imports model/errors.ts'],
    ['platform/linux/a.ts', "import { a } from '../macos/a.ts';", 'imports platform/macos/a.ts'],
    [
      'platform/linux/a.ts',
      "import x11 from 'x11';",
      'comes in through src/platform/linux/x11/x11-library.ts only',
    ],
    ['platform/paths.ts', "import { a } from './node/files.ts';", 'imports platform/node/files.ts'],
    ['image/png.ts', "import jpeg from 'jpeg-js';", 'comes in through src/image/jpeg-library.ts only'],
    ['engine/a.ts', "import a from '@scope/name/deep';", 'imports the package @scope/name'],
    ['engine/a.ts', "import a from '../../tests/a.ts';", 'outside src'],
    ['engine/a.ts', "if (process.platform === 'linux') {}", 'asks for the platform'],
    ['cellar/a.ts', '', 'no room of this name'],
  ])('%s: %s is refused', (file, text, problem) => {
    const found = check([file, text]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${file}: `);
    expect(found[0]).toContain(problem);
  });
});

it('rooms that import each other are listed beside the imports themselves', () => {
  const found = check(['engine/a.ts', "import '../ports/b.ts';"], ['ports/b.ts', "import '../engine/a.ts';"]);
  expect(found).toEqual([
    'ports/b.ts: imports engine/a.ts; ports/ may import model/',
    'rooms import each other: engine/ → ports/ → engine/',
  ]);
});
