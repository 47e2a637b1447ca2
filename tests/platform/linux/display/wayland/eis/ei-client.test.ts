import { describe, expect, it } from 'vitest';
import { encodeEi } from '../../../../../../src/platform/linux/display/wayland/eis/ei-message.ts';
import { FakeEis } from './fake-eis.ts';

/** A server with the devices that Mutter makes. */
function connected(): { readonly eis: FakeEis; readonly keyboard: bigint; readonly pointer: bigint } {
  const eis = new FakeEis();
  eis.greet();
  const keyboard = eis.addDevice(['ei_keyboard']).id;
  const pointer = eis.addDevice(
    ['ei_pointer_absolute', 'ei_scroll', 'ei_button'],
    [
      [0, 0, 1280, 800],
      [1280, 0, 640, 480],
    ],
  ).id;
  eis.log.length = 0;
  return { eis, keyboard, pointer };
}

describe('a client of the EI protocol', () => {
  it('answers the handshake as a sender, names its interfaces once, and finishes last', () => {
    const eis = new FakeEis();
    eis.event(0n, 'ei_handshake', 'handshake_version', 1);
    expect(eis.log).toEqual([
      'ei_handshake.handshake_version 1',
      'ei_handshake.context_type 2',
      'ei_handshake.name Deskterity',
      'ei_handshake.interface_version ei_connection,1',
      'ei_handshake.interface_version ei_callback,1',
      'ei_handshake.interface_version ei_pingpong,1',
      'ei_handshake.interface_version ei_seat,1',
      'ei_handshake.interface_version ei_device,2',
      'ei_handshake.interface_version ei_pointer_absolute,1',
      'ei_handshake.interface_version ei_scroll,1',
      'ei_handshake.interface_version ei_button,1',
      'ei_handshake.interface_version ei_keyboard,1',
      'ei_handshake.finish',
    ]);
  });

  it('binds only what it uses, and starts each device when it may', () => {
    const eis = new FakeEis();
    eis.greet();
    expect(eis.log.at(-1)).toBe(`ei_seat.bind ${4 + 8 + 32 + 64}`);
    eis.addDevice(['ei_keyboard']);
    eis.addDevice(['ei_pointer_absolute', 'ei_button'], [[0, 0, 10, 10]]);
    expect(eis.log.slice(-2)).toEqual(['ei_device.start_emulating 102,1', 'ei_device.start_emulating 103,2']);
  });

  it('is ready once keyboard and pointer accept events', async () => {
    const eis = new FakeEis();
    let isReady = false;
    void eis.client.ready.then(() => (isReady = true));
    eis.greet();
    eis.addDevice(['ei_keyboard']);
    await Promise.resolve();
    expect(isReady).toBe(false);
    eis.addDevice(['ei_pointer_absolute', 'ei_button'], [[0, 0, 10, 10]]);
    await eis.client.ready;
  });

  it('puts each event into a frame of its own', () => {
    const { eis } = connected();
    eis.client.moveTo(1300.5, 20);
    eis.client.button(0x110, true);
    eis.client.button(0x110, false);
    eis.client.scroll(0, -2);
    eis.client.key(30, true);
    eis.client.key(30, false);
    const frame = 'ei_device.frame 103';
    expect(eis.log).toEqual([
      'ei_pointer_absolute.motion_absolute 1300.5,20',
      frame,
      'ei_button.button 272,1',
      frame,
      'ei_button.button 272,0',
      frame,
      'ei_scroll.scroll_discrete 0,-240',
      frame,
      'ei_keyboard.key 30,1',
      frame,
      'ei_keyboard.key 30,0',
      frame,
    ]);
  });

  it('sends nothing to a place that no device reaches, and nothing while a device is paused', () => {
    const { eis, keyboard } = connected();
    expect(() => eis.client.moveTo(1300, 500)).toThrow('no device reaches this place');
    eis.event(keyboard, 'ei_device', 'paused', 200);
    expect(() => eis.client.key(30, true)).toThrow('no ei_keyboard accepts events now');
    expect(eis.log).toEqual([]);
    eis.event(keyboard, 'ei_device', 'resumed', 201);
    eis.client.key(30, true);
    expect(eis.log).toEqual([
      'ei_device.start_emulating 201,3',
      'ei_keyboard.key 30,1',
      'ei_device.frame 201',
    ]);
  });

  it('uses the device that replaces another, as after a change of screens', () => {
    const { eis, pointer } = connected();
    eis.client.moveTo(1300, 20);
    eis.event(pointer, 'ei_device', 'destroyed', 300);
    expect(() => eis.client.button(0x110, true)).toThrow('no ei_button accepts events now');
    eis.addDevice(['ei_pointer_absolute', 'ei_scroll', 'ei_button'], [[0, 0, 1280, 800]]);
    eis.log.length = 0;
    expect(() => eis.client.moveTo(1300, 20)).toThrow('no device reaches this place');
    eis.client.moveTo(20, 20);
    eis.client.button(0x110, true);
    expect(eis.log.filter((line) => !line.includes('frame'))).toEqual([
      'ei_pointer_absolute.motion_absolute 20,20',
      'ei_button.button 272,1',
    ]);
  });

  it('follows the active layout, answers pings and waits for the server', async () => {
    const { eis } = connected();
    expect(eis.client.layout).toBeUndefined();
    const { parts } = eis.addDevice(['ei_keyboard']);
    eis.event(parts[0] ?? 0n, 'ei_keyboard', 'modifiers', 400, 0, 0, 0, 1);
    expect(eis.client.layout).toBe(1);
    eis.log.length = 0;
    await eis.client.synced();
    expect(eis.log).toEqual(['ei_connection.sync 1,1']);
    const ping = 0xff00_0000_0000_ffffn;
    eis.event(eis.connection, 'ei_connection', 'ping', ping, 1);
    expect(eis.log.at(-1)).toBe(`unknown ${ping}.0`);
  });

  it('tells why the server ended it, and rejects what is waited for', async () => {
    const eis = new FakeEis();
    eis.greet();
    const reasons: string[] = [];
    eis.client.onLoss((reason) => reasons.push(reason));
    eis.event(eis.connection, 'ei_connection', 'disconnected', 0, 3, 'bad request');
    await expect(eis.client.ready).rejects.toThrow('it ended the connection: bad request');
    expect(reasons).toEqual(['it ended the connection: bad request']);
    expect(eis.isEnded).toBe(true);
    await expect(eis.client.synced()).rejects.toThrow('bad request');
    expect(() => eis.client.key(30, true)).toThrow('bad request');
  });

  it('ends quietly when it is closed, and says so to the server', async () => {
    const { eis } = connected();
    const reasons: string[] = [];
    eis.client.onLoss((reason) => reasons.push(reason));
    eis.client.close();
    expect(eis.log).toEqual(['ei_connection.disconnect']);
    expect(reasons).toEqual([]);
    expect(eis.client.isLost).toBe(true);
  });

  it('ends a connection that breaks the protocol, and keeps no more than it must', () => {
    for (const bytes of [
      encodeEi(0n, 0, 'u', [1]).fill(0xff, 8, 12),
      encodeEi(0n, 2, '', []),
      encodeEi(0n, 0, 'u', [1]).fill(0, 8, 12),
    ]) {
      const eis = new FakeEis();
      eis.send(bytes);
      expect(eis.client.isLost).toBe(true);
    }
    const { eis } = connected();
    for (let index = 0; index < 1000 && !eis.client.isLost; index++) eis.addDevice(['ei_keyboard']);
    expect(eis.client.isLost).toBe(true);
  });

  it('ignores events of objects and numbers that it does not know', () => {
    const { eis } = connected();
    eis.send(encodeEi(12_345n, 0, 'u', [1]));
    eis.send(encodeEi(eis.seat, 99, 'u', [1]));
    expect(eis.client.isLost).toBe(false);
  });

  it('reads messages that arrive in pieces', () => {
    const eis = new FakeEis();
    const message = encodeEi(0n, 0, 'u', [1]);
    eis.send(message.subarray(0, 10));
    expect(eis.log).toEqual([]);
    eis.send(message.subarray(10));
    expect(eis.log).toHaveLength(13);
  });
});
