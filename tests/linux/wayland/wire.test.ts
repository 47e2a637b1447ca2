import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { SEAT, SHM, SHM_POOL } from '../../../src/platform/linux/display/wayland/wire/interfaces.ts';
import { WaylandWire } from '../../../src/platform/linux/display/wayland/wire/wayland-wire.ts';

const CALL = { deadlineMs: 20_000 };

let place: PrivateDesktop;
beforeAll(async () => {
  place = await PrivateDesktop.start({ ...CALL, display: 'wayland', width: 1280, height: 800 });
});
afterAll(() => place.stop());

describe('a connection to sway', () => {
  it('knows what the compositor offers', async () => {
    const wire = await WaylandWire.connect(place.environment, CALL);
    expect(wire.display).toBe(place.display);
    expect(wire.globals.map((each) => each.interface)).toEqual(
      expect.arrayContaining([
        'wl_shm',
        'wl_seat',
        'zwlr_screencopy_manager_v1',
        'zwlr_virtual_pointer_manager_v1',
        'zwp_virtual_keyboard_manager_v1',
        'zwlr_data_control_manager_v1',
      ]),
    );
    wire.close();
  });

  it.each(['bytes', 'descriptors'] as const)('receives events (%s)', async (receiving) => {
    const wire = await WaylandWire.connect(place.environment, CALL, receiving);
    const name = wire.until<string>((resolve) => {
      const seat = wire.bind({ ...SEAT, version: 2 });
      seat?.on('name', resolve);
    });
    expect(await wire.within(name, 'reading the seat', CALL)).toBe('seat0');
    wire.close();
  });

  it('passes descriptors', async () => {
    const wire = await WaylandWire.connect(place.environment, CALL);
    const shm = wire.bind(SHM);
    // The compositor maps it, and ends the connection if it cannot.
    shm?.send('create_pool', wire.create(SHM_POOL).id, wire.descriptors.memory(4096), 4096);
    await wire.roundtrip('passing memory', CALL);
    expect(wire.isLost).toBe(false);
    wire.close();
  });

  it('is lost with the error that the compositor reported', async () => {
    const wire = await WaylandWire.connect(place.environment, CALL);
    wire.bindGlobal(SHM, { number: 9999, interface: 'wl_shm', version: 1 });
    await expect(wire.roundtrip('provoking', CALL)).rejects.toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
      retryable: true,
      platformDetail: expect.stringContaining('wl_registry'),
    });
    await expect(wire.roundtrip('again', CALL)).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
  });

  it('uses ids again, so that the compositor need not keep many', async () => {
    const wire = await WaylandWire.connect(place.environment, CALL);
    for (let turn = 0; turn < 50; turn++) await wire.roundtrip('turning', CALL);
    expect(wire.create(SHM).id).toBeLessThan(10);
    wire.close();
  });

  it('is refused with the reason', async () => {
    await expect(
      WaylandWire.connect({ ...place.environment, WAYLAND_DISPLAY: 'wayland-99' }, CALL),
    ).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE', platformDetail: 'ENOENT' });
    await expect(WaylandWire.connect({}, CALL)).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
  });
});

describe('the process of the compositor', () => {
  it('belongs to the desktop, whose end it cannot outlive', async () => {
    const own = await PrivateDesktop.start({ ...CALL, display: 'wayland' });
    const wire = await WaylandWire.connect(own.environment, CALL);
    const lost = new Promise((resolve) => wire.onLoss(resolve));
    await own.stop();
    expect(await lost).toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    expect(() => readFileSync(`${own.environment['XDG_RUNTIME_DIR']}/sway.conf`)).toThrow('ENOENT');
  });
});
