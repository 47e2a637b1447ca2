import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Supervisor } from '../../../../src/platform/linux/private-desktop/supervisor.ts';

it('a supervisor that is suspended does not keep its desktop from ending', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-supervisor-'));
  const id = path.basename(folder);
  const supervisor = new Supervisor({ id, folder, ownerPid: process.pid });
  supervisor.noteDisplay(65_000);
  process.kill(supervisor.pid ?? 0, 'SIGSTOP');
  const begun = performance.now();
  await supervisor.finish();
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(existsSync(folder)).toBe(false);
}, 20_000);
