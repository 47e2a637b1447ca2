import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Confinement } from '../../../src/model/tools/confinement.ts';
import { findBubblewrap } from '../../../src/platform/linux/sandbox/bubblewrap/bubblewrap-runs.ts';
import { Stage } from './stage.ts';

const bubblewrap = findBubblewrap();
const ATTEMPTS = 15;

/** Puts a link to another folder in the place of a folder and takes it away again, for as long as it runs. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
const [scope, aside, outside] = process.argv.slice(1);
process.stdout.write('ready');
for (;;) {
  renameSync(scope, aside);
  symlinkSync(outside, scope);
  for (const until = performance.now() + Math.random() * 8; performance.now() < until;);
  unlinkSync(scope);
  renameSync(aside, scope);
  for (const until = performance.now() + Math.random() * 8; performance.now() < until;);
}`;

/** A version that cannot mount descriptors: what it mounts is looked at from inside. */
const OLD = `#!/bin/sh
[ "$1" = --help ] && exit 0
exec ${bubblewrap} "$@"
`;

describe.each([
  ['Landlock', 'landlock', undefined],
  ['bubblewrap', 'bubblewrap', undefined],
  ['an old bubblewrap', 'bubblewrap', OLD],
] as const)('a scope that is replaced before the start in %s', (_name, by, script) => {
  describe.skipIf(by === 'bubblewrap' && bubblewrap === undefined)('where that works', () => {
    let stage: Stage;
    let folder: string;
    let confinement: Partial<Confinement>;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'desk-bwrap-'));
      const old = join(folder, 'bwrap');
      writeFileSync(old, script ?? '', { mode: 0o755 });
      stage = await Stage.open(script === undefined ? {} : { bubblewrap: old });
      writeFileSync(stage.path('outside', 'secret'), 'the secret');
      const { dev, ino } = statSync(stage.path('scope'), { bigint: true });
      const same = [{ path: stage.path('scope'), device: String(dev), inode: String(ino) }];
      confinement = { by, same };
    });
    afterAll(async () => {
      await stage.close();
      rmSync(folder, { recursive: true });
    });

    const attempt = async (): Promise<string> => {
      const command = ['/bin/sh', '-c', 'echo x > stolen && cat secret; pwd -P'] as const;
      const ran = await stage.run([...command], confinement).catch((error: unknown) => error);
      if (ran instanceof Error) return `refused: ${'code' in ran ? String(ran.code) : ran.message}`;
      return JSON.stringify(ran);
    };
    const stolen = () => readdirSync(stage.path('outside'));

    it.each([
      ['a link', () => symlinkSync(stage.path('outside'), stage.path('scope'))],
      ['another folder', () => renameSync(stage.path('outside'), stage.path('scope'))],
    ])('by %s: nothing is run', async (what, replace) => {
      renameSync(stage.path('scope'), stage.path('aside'));
      replace();
      try {
        expect(await attempt()).toBe('refused: POLICY_DENIED');
      } finally {
        if (what === 'another folder') renameSync(stage.path('scope'), stage.path('outside'));
        else rmSync(stage.path('scope'), { force: true });
        renameSync(stage.path('aside'), stage.path('scope'));
      }
      expect(stolen()).toEqual(['secret']);
      expect(await attempt()).toContain('scope');
    });

    it('again and again: no start ever reaches what is put there', async () => {
      const swapper: ChildProcess = spawn(
        process.execPath,
        ['-e', SWAPPER, stage.path('scope'), stage.path('aside'), stage.path('outside')],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const seen: string[] = [];
      try {
        await new Promise((resolve) => swapper.stdout?.once('data', resolve));
        for (let count = 0; count < ATTEMPTS; count += 1) seen.push(await attempt());
      } finally {
        const gone = new Promise((resolve) => swapper.once('exit', resolve));
        swapper.kill('SIGKILL');
        await gone;
      }
      expect(stolen()).toEqual(['secret']);
      expect(seen.filter((each) => each.includes('the secret'))).toEqual([]);
      // The race was a race: some were refused.
      expect(seen.filter((each) => each.startsWith('refused')).length).toBeGreaterThan(0);
    });
  });
});
