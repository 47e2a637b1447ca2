import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deskOptions, hostOptions } from '../../scripts/build.mjs';
import { startPrivateDesktop, type PrivateDesktopHandle } from '../../src/platform/linux/desktops.ts';
import { envelope, kill, Lab, useLab } from '../daemon/support.ts';
import { InputDisplay } from './x11/input-display.ts';

const lab = useLab();
let older = '';
let desktop: PrivateDesktopHandle;
let display: InputDisplay;

beforeAll(async () => {
  older = await mkdtemp(join(tmpdir(), 'dk-'));
  const define = { DESKTERITY_BUILD: JSON.stringify('0.0.1+older') };
  [desktop] = await Promise.all([
    startPrivateDesktop({ width: 640, height: 480, deadlineMs: 20_000, inherit: process.env }),
    ...[deskOptions(older), hostOptions(older)].map((options) =>
      build({ ...options, define: { ...options.define, ...define } }),
    ),
  ]);
  display = await InputDisplay.open(desktop.display, desktop.environment['XAUTHORITY']);
});

afterAll(async () => {
  display.close();
  await desktop.stop();
  await rm(older, { recursive: true, force: true });
});

it('acting is stopped and allowed again whatever the daemon is: of another build and not to be replaced, or frozen', async () => {
  const { DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS } = desktop.environment;
  const environment = { DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS };
  const old = new Lab(lab().folder, older);
  const run = async (which: Lab, ...args: string[]) => envelope(await which.desk(args, environment));
  try {
    expect(await run(old, 'clipboard', 'set', 'kept')).toMatchObject({ ok: true });
    expect(await run(old, 'mouse', 'down')).toMatchObject({ ok: true });
    expect(await display.held()).toEqual(['left button']);

    const refused = await run(lab(), 'status');
    expect(refused.error).toMatchObject({ code: 'DAEMON_UNAVAILABLE' });
    expect(refused.error?.message).toContain('0.0.1+older');
    const stopped = await run(lab(), 'stop', '--session', 'person');
    expect(stopped).toMatchObject({ ok: true, stopped: true, by: 'person' });
    expect(await display.held()).toEqual([]);
    expect((await run(old, 'mouse', 'click', '5', '5')).error).toMatchObject({ code: 'POLICY_DENIED' });
    expect(await run(old, 'clipboard', 'get')).toMatchObject({ ok: true, text: 'kept' });
    expect(await run(lab(), 'resume')).toMatchObject({ ok: true, stopped: false });
    expect(await run(old, 'mouse', 'down')).toMatchObject({ ok: true });

    const [daemon] = old.daemons();
    kill(daemon, 'SIGSTOP');
    const began = performance.now();
    expect(await run(lab(), 'stop')).toMatchObject({ ok: true, stopped: true });
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await display.held()).toEqual([]);
    expect(await run(lab(), 'resume')).toMatchObject({ ok: true, stopped: false });
    expect(lab().daemons()).toEqual([]);
  } finally {
    await old.stop();
  }
});
