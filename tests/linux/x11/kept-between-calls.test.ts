import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { X11Controls } from '../../../src/platform/linux/display/x11/x11-display.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { isCollected } from '../../collected.ts';
import { TestConnection } from './x-connection.ts';
import { TestServer } from './x-server.ts';

const CALL = { deadlineMs: 5000 };

describe('between two calls', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it('a connection keeps no picture', async () => {
    const connection = await TestConnection.connect(server.display, CALL);
    try {
      const take = async (): Promise<WeakRef<object>> =>
        new WeakRef((await connection.captureScreen()).bgrx.buffer);
      const picture = await take();
      expect(await isCollected(picture)).toBe(true);
    } finally {
      connection.close();
    }
  });

  it('a connection keeps nothing that the last act saw', async () => {
    const controls = new X11Controls((options) => X11Wire.connect(server.display, options));
    try {
      const act = async (): Promise<WeakRef<object>> => {
        const seen = { widths: [1] };
        const press = async (): Promise<void> => {
          const lease = await controls.input.take('somebody', CALL);
          await lease.press(parseKeyCombination('F7'), CALL);
          await lease.endLease();
          seen.widths.push(2);
        };
        await press();
        return new WeakRef(seen);
      };
      const seen = await act();
      expect(await isCollected(seen)).toBe(true);
    } finally {
      await controls.close();
    }
  });
});
