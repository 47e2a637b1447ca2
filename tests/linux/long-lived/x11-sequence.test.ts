import { expect, it } from 'vitest';
import { windowIdOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { TestConnection } from '../x11/x-connection.ts';
import { TestServer } from '../x11/x-server.ts';

/** Of a size that no client has been given. */
const NO_WINDOW = windowIdOf(0x1f_ffff);
const CALL = { deadlineMs: 5000 };

it('an X connection continues after the sequence numbers have wrapped, including errors', async () => {
  const server = await TestServer.start({ manager: false, screen: '640x480x24' });
  const { x11 } = await TestConnection.connect(server.display, CALL);
  let losses = 0;
  x11.onLoss(() => losses++);
  try {
    // Three requests each, all of them refused; the numbers have 16 bits.
    for (let sent = 0; sent < 70_000; sent += 150) {
      const places = await Promise.all(Array.from({ length: 50 }, () => x11.windows.place(NO_WINDOW, CALL)));
      expect(places.filter((place) => place !== undefined)).toEqual([]);
    }
    expect((await x11.facts(CALL)).screen).toEqual({ width: 640, height: 480 });
    expect(losses).toBe(0);
  } finally {
    x11.close();
    server.stop();
  }
});
