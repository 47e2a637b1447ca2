import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
/** Programs of others answer --help themselves. */
const OURS = Object.entries(scripts).filter(([, line]) => line.startsWith('node scripts/'));

/** Programs that load much take long to start on a busy machine. */
const STARTS_MS = 60_000;

describe('npm scripts', () => {
  it.each(OURS)(
    '%s answers --help and does nothing else',
    (name, line) => {
      const [program = '', ...args] = line.split(' ');
      const printed = execFileSync(program, [...args, '--help'], {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: STARTS_MS,
      });
      expect(printed).toMatch(
        name === 'prepack' ? /^Usage: npm run build/ : new RegExp(`^Usage: .*npm (?:run )?(?:-s )?.*${name}`),
      );
      expect(printed.trim().split('\n').length).toBeGreaterThan(1);
    },
    STARTS_MS,
  );

  it.each(['bench', 'proof', 'setup', 'demo'])(
    '%s explains what it does not know, with its usage',
    (name) => {
      const { status, stderr } = spawnSync(process.execPath, [`scripts/${name}.mjs`, '--bogus'], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(status).toBe(5);
      expect(stderr).toMatch(/^\nUnknown option '--bogus'\.\nUsage: npm run/);
    },
  );
});
