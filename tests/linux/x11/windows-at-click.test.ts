import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { X11Controls } from '../../../src/platform/linux/display/x11/x11-display.ts';
import { windowOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import type { Released } from '../../../src/ports/input.ts';
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

/** A window that is not shown yet. */
async function create(): Promise<number> {
  const { wire } = display;
  const window = wire.allocateId();
  await wire.call('CreateWindow', window, wire.root, 0, 0, 50, 50, 0, 0, 0, 0, { eventMask: 0 });
  return window;
}

it('are those created since the pointer was aimed, shown or not; one kept hidden before may be opened by the click', async () => {
  const kept = await create();
  const lease = await controls.input.take('test', CALL);
  const released: Released[] = [];
  try {
    await lease.moveTo({ x: 20, y: 20 }, CALL);
    const opening = await create();
    const whilePressed: number[] = [];
    await lease.click('left', 1, {
      ...CALL,
      check: async () => void whilePressed.push(await create()),
      onReleased: (then) => void released.push(then),
    });
    const windows = released.flatMap((then) => then.windows.map(windowOf));
    expect(windows).toEqual([opening, ...whilePressed]);
    expect(windows).not.toContain(kept);
  } finally {
    await lease.endLease();
  }
});

it('a window that is moved while the button is down gets neither its release nor the second press', async () => {
  const { wire } = display;
  const window = wire.allocateId();
  await wire.call('CreateWindow', window, wire.root, 0, 0, 200, 200, 0, 0, 0, 0, {
    overrideRedirect: 1,
    eventMask: 0,
  });
  await wire.call('MapWindow', window);
  const click = async (count: number, x: number): Promise<void> => {
    await wire.call('ConfigureWindow', window, { x: 0, y: 0 });
    const lease = await controls.input.take('test', CALL);
    try {
      await lease.moveTo({ x: 100, y: 100 }, CALL);
      await lease.click('left', count, {
        ...CALL,
        onto: await lease.under(CALL),
        check: async () => {
          await wire.call('ConfigureWindow', window, { x, y: 0 });
        },
      });
    } finally {
      await lease.endLease();
    }
  };
  await click(2, 0);
  for (const count of [1, 2])
    await expect(click(count, 30)).rejects.toMatchObject({ code: 'NOT_ACTIONABLE', delivered: true });
  expect(await display.held()).toEqual([]);
});

it('a right click ends once its menu shows, and before long if none does', async () => {
  const { wire } = display;
  const window = wire.allocateId();
  const menu = wire.allocateId();
  const kept = { overrideRedirect: 1, eventMask: 0 };
  await wire.call('CreateWindow', window, wire.root, 0, 0, 200, 200, 0, 0, 0, 0, {
    ...kept,
    eventMask: BUTTON_PRESS | BUTTON_RELEASE,
  });
  // Toolkits keep the windows of their menus.
  await wire.call('CreateWindow', menu, wire.root, 0, 0, 50, 50, 0, 0, 0, 0, kept);
  await wire.call('MapWindow', window);
  const seen: string[] = [];
  let isSlow = true;
  wire.onEvent(({ name }) => {
    if (name === 'ButtonRelease') seen.push('released');
    if (name !== 'ButtonPress' || !isSlow) return;
    setTimeout(() => {
      seen.push('menu');
      void wire.call('MapWindow', menu);
    }, 150);
  });
  const click = async (): Promise<void> => {
    const lease = await controls.input.take('test', CALL);
    try {
      await lease.moveTo({ x: 100, y: 100 }, CALL);
      await lease.click('right', 1, CALL);
    } finally {
      await lease.endLease();
    }
    await vi.waitFor(() => expect(seen.at(-1)).toBe('released'));
  };
  await click();
  expect(seen).toEqual(['menu', 'released']);
  isSlow = false;
  await click();
  expect(seen).toEqual(['menu', 'released', 'released']);
});

const BUTTON_PRESS = 4;
const BUTTON_RELEASE = 8;
