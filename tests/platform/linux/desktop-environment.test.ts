import { describe, expect, it } from 'vitest';
import { programEnvironment } from '../../../src/platform/linux/machine/desktop-environment.ts';

const desktop = {
  DISPLAY: ':1',
  XAUTHORITY: '/desktop/authority',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/desktop/bus',
  HOME: '/home/desktop',
  PATH: '/desktop/bin',
  UNSET: undefined,
};
const caller = {
  DISPLAY: ':2',
  WAYLAND_DISPLAY: 'wayland-9',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/caller/bus',
  AT_SPI_BUS_ADDRESS: 'unix:path=/caller/atspi',
  DESKTERITY_PRIVATE_DESKTOP: 'fedcba9876',
  PATH: '/caller/bin',
  LANG: 'de',
  UNSET: undefined,
};

describe('the environment of a launched program', () => {
  it('is the desktop’s own without a caller', () => {
    const { UNSET: _, ...rest } = desktop;
    expect(programEnvironment(desktop, undefined)).toEqual(rest);
  });

  it('is the caller’s, but with the display and the buses of the desktop', () => {
    expect(programEnvironment(desktop, caller)).toEqual({
      DISPLAY: ':1',
      XAUTHORITY: '/desktop/authority',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/desktop/bus',
      PATH: '/caller/bin',
      LANG: 'de',
    });
  });

  it('is not the caller’s on a private desktop', () => {
    const place = { ...desktop, DESKTERITY_PRIVATE_DESKTOP: '0123456789' };
    expect(programEnvironment(place, caller)).toEqual(programEnvironment(place, undefined));
  });

  it('is the caller’s on the caller’s own private desktop', () => {
    const marker = { DESKTERITY_PRIVATE_DESKTOP: '0123456789' };
    const inside = programEnvironment({ ...desktop, ...marker }, { ...caller, ...marker });
    expect(inside).toMatchObject({ ...marker, DISPLAY: ':1', PATH: '/caller/bin' });
  });

  it('includes the desktop’s accessibility address', () => {
    const told = { ...desktop, AT_SPI_BUS_ADDRESS: 'unix:path=/desktop/atspi' };
    expect(programEnvironment(told, caller)['AT_SPI_BUS_ADDRESS']).toBe('unix:path=/desktop/atspi');
  });
});
