import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { isAlive } from '../../../src/platform/paths.ts';
import { sessionMembers } from '../../../src/platform/linux/process/facts.ts';
import { openDesktop, startPrivateDesktop } from '../../../src/platform/linux/desktops.ts';
import type { PrivateDesktopHandle } from '../../../src/platform/linux/desktops.ts';

const CALL = { deadlineMs: 5000 };
let place: PrivateDesktopHandle;
let folder: string;

beforeAll(async () => {
  place = await startPrivateDesktop({ width: 640, height: 480, deadlineMs: 20_000, inherit: process.env });
  folder = mkdtempSync(path.join(tmpdir(), 'caller-'));
  const program = path.join(folder, 'only-the-caller-knows');
  writeFileSync(program, '#!/bin/sh\nexec sleep 1098\n');
  chmodSync(program, 0o755);
});

afterAll(async () => {
  await place.stop();
  rmSync(folder, { recursive: true });
});

function environmentOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, -1);
}

describe('launching for a caller with its own environment', () => {
  const request = { app: 'only-the-caller-knows', args: [], cwd: '/', ...CALL };

  it('uses it to find and run the program, but on this desktop', async () => {
    const environment = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, DISPLAY: ':12345', CALLER: 'me' };
    const desktop = new LinuxDesktop({ ...place.environment, DESKTERITY_PRIVATE_DESKTOP: undefined });
    await expect(desktop.launch(request)).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
    const app = await desktop.launch({ ...request, environment });
    try {
      const variables = environmentOf(app.pid);
      expect(variables).toEqual(
        expect.arrayContaining(['CALLER=me', `DISPLAY=${place.display}`, `HOME=${folder}`]),
      );
      expect(variables).toContain(`XAUTHORITY=${place.environment['XAUTHORITY'] ?? ''}`);
      expect(variables.some((variable) => variable.startsWith('XDG_CONFIG_HOME='))).toBe(false);
    } finally {
      process.kill(app.pid, 'SIGKILL');
      await app.exited;
    }
  });

  it('ignores it on a private desktop', async () => {
    const desktop = await openDesktop(place.environment);
    const environment = { PATH: `${folder}:/usr/bin:/bin`, CALLER: 'me' };
    await expect(desktop.launch({ ...request, environment })).rejects.toMatchObject({
      code: 'APP_NOT_FOUND',
    });
    const app = await desktop.launch({ ...request, app: 'sleep', args: ['1098'], environment });
    expect(environmentOf(app.pid).some((variable) => variable.startsWith('CALLER='))).toBe(false);
    process.kill(app.pid, 'SIGKILL');
    await app.exited;
  });
});

describe('a private desktop that is stopped', () => {
  it('ends even programs that hide their origin', async () => {
    const own = await startPrivateDesktop({ deadlineMs: 20_000, inherit: process.env });
    const desktop = await openDesktop(own.environment);
    const script = 'env -i sleep 1097 & exec sleep 1097';
    const app = await desktop.launch({ app: 'sh', args: ['-c', script], cwd: '/', ...CALL });
    const family = sessionMembers(app.pid);
    expect(family).toHaveLength(2);
    await desktop.close();
    await own.stop();
    expect(family.filter((pid) => isAlive(pid))).toEqual([]);
  });
});
