import { expect, it } from 'vitest';
import { X11Connection } from '../../../src/platform/linux/display/x11/connection.ts';
import { TestServer } from '../x11/x-server.ts';

/** Of a size that no client has been given. */
const NO_WINDOW = 0x1f_ffff;

it('an X connection continues after the sequence numbers have wrapped, including errors', async () => {
  const server = await TestServer.start({ manager: false, screen: '640x480x24' });
  const x11 = await X11Connection.connect(server.display, { deadlineMs: 5000 });
  try {
    // Three requests each, all of them refused; the numbers have 16 bits.
    for (let sent = 0; sent < 70_000; sent += 150) {
      const places = await Promise.all(Array.from({ length: 50 }, () => x11.windowPlace(NO_WINDOW)));
      expect(places.filter((place) => place !== undefined)).toEqual([]);
    }
    expect(await x11.screenSize()).toEqual({ width: 640, height: 480 });
    expect(x11.isLost).toBe(false);
  } finally {
    x11.close();
    server.stop();
  }
});
