import { afterAll, beforeAll, expect, it } from 'vitest';
import { X11Controls } from '../../../src/platform/linux/display/x11/x11-display.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { InputDisplay } from './input-display.ts';
import { TestServer } from './x-server.ts';

const CALL = { deadlineMs: 5000 };
let server: TestServer;
let display: InputDisplay;
let controls: X11Controls;

beforeAll(async () => {
  server = await TestServer.start();
  display = await InputDisplay.open(server.display);
  controls = new X11Controls((options) => X11Wire.connect(server.display, options));
});
afterAll(async () => {
  await controls.close();
  display.close();
  server.stop();
});

it('presses no button once a list that was under the pointer has closed', async () => {
  const { wire } = display;
  const list = wire.allocateId();
  await wire.call('CreateWindow', list, wire.root, 0, 0, 50, 50, 0, 0, 0, 0, {
    overrideRedirect: 1,
    eventMask: 0,
  });
  await wire.call('MapWindow', list);
  const lease = await controls.input.take('test', CALL);
  try {
    await lease.moveTo({ x: 20, y: 20 }, CALL);
    const onto = await lease.under(CALL);
    await lease.click('left', 1, { ...CALL, onto });
    await wire.call('DestroyWindow', list);
    const refused = { code: 'NOT_ACTIONABLE', delivered: false, retryable: true };
    await expect(lease.click('left', 1, { ...CALL, onto })).rejects.toMatchObject(refused);
    await expect(lease.buttonDown('left', { ...CALL, onto })).rejects.toMatchObject(refused);
    expect(await display.held()).toEqual([]);
    await lease.click('left', 1, { ...CALL, onto: await lease.under(CALL) });
  } finally {
    await lease.endLease();
  }
});

it('tells which windows were there when keys were released', async () => {
  const { wire } = display;
  const lease = await controls.input.take('test', CALL);
  try {
    await lease.moveTo({ x: 20, y: 20 }, CALL);
    const opening = wire.allocateId();
    await wire.call('CreateWindow', opening, wire.root, 0, 0, 50, 50, 0, 0, 0, 0, { eventMask: 0 });
    const windows: string[] = [];
    await lease.press([{ kind: 'named', name: 'Shift' }], {
      ...CALL,
      onReleased: (then) => void windows.push(...then.windows),
    });
    expect(windows).toEqual([`x11:0x${opening.toString(16)}`]);
  } finally {
    await lease.endLease();
  }
});
