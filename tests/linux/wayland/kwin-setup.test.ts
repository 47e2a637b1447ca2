import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { KdeSetup } from '../../../src/platform/linux/setup/kde-setup.ts';
import { CALL, NO_KWIN } from './stage.ts';

const ASKS = { KWIN_WAYLAND_NO_PERMISSION_CHECKS: '0', KWIN_SCREENSHOT_NO_PERMISSION_CHECKS: '0' };

describe.skipIf(NO_KWIN !== undefined)(`on KWin${NO_KWIN === undefined ? '' : ` (${NO_KWIN})`}`, () => {
  let place: PrivateDesktop;
  beforeAll(async () => {
    // As a user's own session is: it admits nobody that no desktop file names.
    place = await PrivateDesktop.start({
      ...CALL,
      display: 'kwin',
      width: 800,
      height: 600,
      inherit: { ...process.env, ...ASKS },
    });
  });
  afterAll(() => place.stop());

  /** Which parts work for a program that connects now. */
  async function parts(): Promise<Record<string, unknown>> {
    const desktop = new LinuxDesktop(place.environment, place);
    try {
      const { checks } = await desktop.permissions({ ...CALL, request: false });
      const told = Object.fromEntries(checks.map(({ name, ok }) => [name, ok]));
      const picture = await desktop.capture({ kind: 'screen' }, CALL).then(
        ({ width }) => width,
        (error: { code: string }) => error.code,
      );
      const lease = await desktop.input.take('setup', CALL).then(
        async (taken) => {
          await taken.endLease();
          return 'leased';
        },
        (error: { code: string }) => error.code,
      );
      return { input: told['input'], screenshots: told['screenshots'], picture, lease };
    } finally {
      await desktop.close();
    }
  }

  const setup = (isUndo: boolean) =>
    new KdeSetup().run({ environment: place.environment, isUndo, isTrial: false });
  const refused = { input: false, screenshots: false, picture: 'PERM_DENIED', lease: 'PERM_DENIED' };

  it('the set-up admits this Node to keyboard, pointer and screenshots, until it is undone', async () => {
    expect(await parts()).toEqual(refused);
    await setup(false);
    await expect
      .poll(parts, { timeout: 20_000, interval: 500 })
      .toEqual({ input: true, screenshots: true, picture: 800, lease: 'leased' });
    await setup(true);
    await expect.poll(parts, { timeout: 20_000, interval: 500 }).toEqual(refused);
  });
});
