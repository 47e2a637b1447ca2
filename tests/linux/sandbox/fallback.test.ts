import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBubblewrap } from '../../../src/platform/linux/sandbox/bubblewrap/bubblewrap-runs.ts';
import { envelope, type Ran } from '../../daemon/support.ts';
import { PYTHON } from './hostile-run.ts';
import { Published } from './published.ts';

const WITHOUT = join(import.meta.dirname, 'without.py');

/** A filter of system calls takes away what another kernel would not have; everything that the program starts is below it. */
describe.skipIf(!existsSync(PYTHON))(
  'the published program on a kernel without Landlock (needs Python)',
  () => {
    let lab: Published;
    let outside: string;
    let project: string;
    beforeEach(async () => {
      lab = await Published.open();
      [outside, project] = [join(lab.folder, 'outside'), join(lab.folder, 'project')];
      for (const folder of [outside, project]) mkdirSync(folder);
      writeFileSync(join(outside, 'secret'), 'hidden', { mode: 0o600 });
    });
    afterEach(async () => lab.stop());

    const without = async (
      what: string,
      args: readonly string[],
      changes: NodeJS.ProcessEnv = {},
    ): Promise<Ran> =>
      new Promise((resolve) => {
        execFile(
          PYTHON,
          [WITHOUT, what, process.execPath, join(lab.program, 'desk.cjs'), ...args],
          { env: lab.environment({ ...lab.folders, ...changes }), cwd: project, encoding: 'utf8' },
          (error, stdout, stderr) => resolve({ exitCode: error?.code ?? 0, stdout, stderr }),
        );
      });

    it.skipIf(findBubblewrap() === undefined)(
      'confines with bubblewrap, unless Landlock was chosen (needs bubblewrap)',
      async () => {
        const script = `echo made > file; cat ${outside}/secret; echo x > ${outside}/new; chmod 777 ${outside}/secret; true`;
        const ran = await without('landlock', ['sandboxed-shell', script, '--execution-mode', 'sync']);
        expect(envelope(ran)).toMatchObject({ ok: true, status: 'succeeded', sandbox: 'bubblewrap' });
        expect(readFileSync(join(project, 'file'), 'utf8')).toBe('made\n');
        expect(ran.stdout).not.toContain('hidden');
        expect(existsSync(join(outside, 'new'))).toBe(false);
        expect(statSync(join(outside, 'secret')).mode & 0o777).toBe(0o600);
        writeFileSync(join(project, 'file'), 'as it was');
        const chosen = await without('landlock', ['sandboxed-shell', script], {
          DESKTERITY_SANDBOX_MODE: 'landlock',
        });
        expect(envelope(chosen).error).toMatchObject({
          code: 'SANDBOX_UNAVAILABLE',
          message: expect.stringContaining('no Landlock'),
          suggestion: expect.stringContaining('bubblewrap works here'),
        });
        expect(readFileSync(join(project, 'file'), 'utf8')).toBe('as it was');
      },
    );

    it('runs nothing if bubblewrap does not work either, and suggests a fix', async () => {
      const ran = await without('landlock,mount', ['sandboxed-shell', 'echo made > file']);
      expect(envelope(ran).error).toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringMatching(
          /^Programs cannot be confined here \(Linux \d+\.\d+.*, no Landlock\)\. .*bubblewrap/,
        ),
        suggestion: expect.stringMatching(/Linux 6\.12.* Or: .*--no-sandbox/),
      });
      expect(existsSync(join(project, 'file'))).toBe(false);
      const line = ['sandboxed-shell', 'echo made > file', '--no-sandbox', '--format', 'outline'];
      expect((await without('landlock,mount', line)).stdout).toContain('NOT CONFINED');
      expect(existsSync(join(project, 'file'))).toBe(true);
    });
  },
);
