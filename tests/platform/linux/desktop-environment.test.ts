import { describe, expect, it } from 'vitest';
import { desktopKey } from '../../../src/platform/linux/desktops.ts';
import {
  displayIn,
  namesWayland,
  programEnvironment,
} from '../../../src/platform/linux/machine/desktop-environment.ts';

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

describe('which display an environment leads to', () => {
  const wayland = { WAYLAND_DISPLAY: 'wayland-1', XDG_RUNTIME_DIR: '/run/user/1' };

  it.each([
    ['Wayland alone', wayland, true, 'wayland-1'],
    ['sway with an Xwayland', { ...wayland, DISPLAY: ':0', SWAYSOCK: '/run/sway' }, true, 'wayland-1'],
    ['another compositor with an Xwayland', { ...wayland, DISPLAY: ':0' }, false, ':0'],
    ['X11', { DISPLAY: ':1.0' }, false, ':1'],
    ['a Wayland display in no folder', { WAYLAND_DISPLAY: 'wayland-1' }, false, 'wayland-1'],
    ['a Wayland socket by its path', { WAYLAND_DISPLAY: '/run/x/wayland-3' }, true, 'wayland-3'],
    ['nothing', {}, false, undefined],
  ])('%s', (_, environment, isWayland, display) => {
    expect(namesWayland(environment)).toBe(isWayland);
    expect(displayIn(environment)).toBe(display);
  });

  it('is told apart by its Wayland display', () => {
    const other = { ...wayland, WAYLAND_DISPLAY: 'wayland-2' };
    expect(desktopKey(wayland)).not.toBe(desktopKey(other));
    const x11 = { DISPLAY: ':0' };
    expect(desktopKey({ ...x11, WAYLAND_DISPLAY: 'wayland-1', XDG_RUNTIME_DIR: '/run' })).toBe(
      desktopKey(x11),
    );
  });
});
