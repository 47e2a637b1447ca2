import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KwinWindows } from '../../../src/platform/linux/display/wayland/kwin/kwin-windows.ts';
import { ScriptHost } from '../../../src/platform/linux/display/wayland/kwin/script-host.ts';
import { areInstalled, PATIENT, PrivateBus } from '../dbus/support/private-bus.ts';
import { FakeKwin } from './fake-kwin.ts';

const CALL = { deadlineMs: 5000 };
const ID = 'kwin:11111111-2222-3333-4444-555555555555';

describe.skipIf(!areInstalled('dbus-daemon'))('the script inside KWin (of a fake one)', () => {
  let bus: PrivateBus;
  let kwin: FakeKwin;
  let host: ScriptHost;

  const start = () =>
    ScriptHost.start(
      {
        DBUS_SESSION_BUS_ADDRESS: bus.address,
        WAYLAND_DISPLAY: 'wayland-9',
        XDG_RUNTIME_DIR: bus.folder,
      },
      'wayland-9',
      CALL,
    );
  beforeEach(async () => {
    bus = await PrivateBus.start();
    kwin = await FakeKwin.start(await bus.connect());
    host = await start();
  });
  afterEach(async () => {
    host.close();
    await bus.stop();
  });

  it('tells windows and where the pointer is, and leaves no file', async () => {
    const windows = new KwinWindows(host, 'wayland-9');
    expect(await windows.list(CALL)).toEqual([
      expect.objectContaining({
        id: ID,
        title: 'A window',
        pid: 4711,
        bounds: { x: 10, y: 50, width: 300, height: 200 },
      }),
    ]);
    expect((await windows.read(CALL)).pointer).toEqual({ x: 5, y: 6 });
    expect(readdirSync(bus.folder).filter((name) => name.endsWith('.js'))).toEqual([]);
  });

  it('changes windows by the requests that it knows, and no others', async () => {
    const windows = new KwinWindows(host, 'wayland-9');
    expect(await windows.control(ID, { kind: 'close' }, CALL)).toEqual({ via: 'kwin:close' });
    await windows.control(ID, { kind: 'focus' }, CALL);
    await windows.control(ID, { kind: 'move', x: 100, y: 100 }, CALL);
    expect(kwin.window.done).toEqual(['close']);
    expect(kwin.activeClient).toBe(kwin.window);
    expect(kwin.window.frameGeometry).toEqual({ x: 100, y: 70, width: 300, height: 230 });
    const id = kwin.window.internalId;
    for (const kind of ['constructor', '__proto__', 'toString', 'eval'])
      expect(await host.ask({ kind, id }, 'trying', CALL)).toMatchObject({ complaint: 'unknown request' });
    expect(await host.ask({ kind: 'close', id: '"); evil(); ("' }, 'trying', CALL)).toMatchObject({
      isMissing: true,
    });
  });

  it('reports events, and titles of any text', async () => {
    const seen: unknown[] = [];
    const windows = new KwinWindows(host, 'wayland-9');
    const end = await windows.watch((event) => seen.push(event));
    kwin.window.caption = '"}\u2028</script>😀\u0000';
    kwin.clientAdded.emit(kwin.window);
    await expect.poll(() => seen).toEqual([{ kind: 'window-opened', id: ID }]);
    expect((await windows.list(CALL))[0]?.title).toBe('"}\u2028</script>😀\u0000');
    end();
    kwin.clientAdded.emit(kwin.window);
    await windows.list(CALL);
    expect(seen).toHaveLength(1);
  });

  it('is heard only from KWin, at the path that only KWin knows', async () => {
    const stranger = await bus.connect();
    const call = {
      destination: kwin.place?.service ?? '',
      path: kwin.place?.path ?? '',
      interface: 'io.deskterity.KWinScript',
      member: 'Next',
      signature: 's',
      args: ['{"number":1,"windows":[]}'],
    };
    expect(call.path).toMatch(/^\/io\/deskterity\/[0-9a-f]{32}$/);
    await expect(stranger.call(call, PATIENT)).rejects.toMatchObject({
      errorName: 'org.freedesktop.DBus.Error.UnknownMethod',
    });
    expect(await new KwinWindows(host, 'wayland-9').list(CALL)).toHaveLength(1);
  });

  it('is lost with KWin, and starts again with the next one', async () => {
    let reason: string | undefined;
    host.onLoss(({ code }) => (reason = code));
    await kwin.end();
    await expect.poll(() => reason).toBe('DISPLAY_UNAVAILABLE');
    await expect(host.ask({ kind: 'list' }, 'listing', CALL)).rejects.toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
      retryable: true,
    });
    await expect(start()).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    kwin = await FakeKwin.start(await bus.connect());
    host = await start();
    expect(await new KwinWindows(host, 'wayland-9').list(CALL)).toHaveLength(1);
  });

  it('that does not answer is given up at the deadline', async () => {
    kwin.isSilent = true;
    const asked = Promise.all([1, 2].map(() => host.ask({ kind: 'list' }, 'listing', { deadlineMs: 300 })));
    await expect(asked).rejects.toMatchObject({ code: 'TIMEOUT', retryable: true });
  });

  it('is unloaded at the end', async () => {
    expect(kwin.loaded.size).toBe(1);
    host.close();
    await expect.poll(() => kwin.loaded.size).toBe(0);
  });
});
