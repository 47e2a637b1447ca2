import { expect, it } from 'vitest';
import { EisRoute } from '../../../../../../src/platform/linux/display/wayland/eis/eis-route.ts';
import { FakeEis } from './fake-eis.ts';

const CALL = { deadlineMs: 1000 };

async function opened(): Promise<{ readonly eis: FakeEis; readonly route: EisRoute }> {
  const eis = new FakeEis();
  const opening = EisRoute.open(eis.stream, 'wayland-0', CALL);
  eis.greet();
  eis.addDevice(['ei_keyboard']);
  eis.addDevice(['ei_pointer_absolute', 'ei_scroll', 'ei_button'], [[0, 0, 1280, 800]]);
  const route = await opening;
  eis.log.length = 0;
  return { eis, route };
}

it('sends what a display asks of it', async () => {
  const { eis, route } = await opened();
  route.moveTo({ x: 10, y: 20 });
  route.button('right', true);
  route.notch('x', -1);
  route.key(42, false);
  await route.synced();
  expect(eis.log.filter((line) => !line.startsWith('ei_device'))).toEqual([
    'ei_pointer_absolute.motion_absolute 10,20',
    'ei_button.button 273,1',
    'ei_scroll.scroll_discrete -120,0',
    'ei_keyboard.key 42,0',
    'ei_connection.sync 1,1',
  ]);
});

it('says that input is not taken where no device takes it, and that it may be repeated', async () => {
  const { route } = await opened();
  expect(() => route.moveTo({ x: 5000, y: 20 })).toThrow(
    expect.objectContaining({ code: 'NOT_ACTIONABLE', retryable: true }),
  );
});

it('is lost with the server, and tells so once', async () => {
  const { eis, route } = await opened();
  const losses: string[] = [];
  route.onLoss(({ code }) => losses.push(code));
  eis.hangUp();
  expect(route.isLost).toBe(true);
  expect(losses).toEqual(['DISPLAY_UNAVAILABLE']);
  expect(() => route.key(42, true)).toThrow(expect.objectContaining({ code: 'DISPLAY_UNAVAILABLE' }));
  await expect(route.synced()).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
});

it('does not wait for a server that makes no devices', async () => {
  const eis = new FakeEis();
  await expect(EisRoute.open(eis.stream, 'wayland-0', { deadlineMs: 20 })).rejects.toMatchObject({
    code: 'TIMEOUT',
  });
  expect(eis.isEnded).toBe(true);
});
