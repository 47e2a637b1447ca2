import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import {
  DISPLAY_SERVERS,
  privateDisplay,
} from '../../../../src/platform/linux/private-desktop/display-server.ts';
import { desktopEnvironment } from '../../../../src/platform/linux/private-desktop/environment.ts';
import {
  baseFolders,
  desktopFolder,
  FOLDER_NAME,
} from '../../../../src/platform/linux/private-desktop/folder.ts';
import { findPrograms } from '../../../../src/platform/linux/private-desktop/programs.ts';
import { sessionBusAddress } from '../../../../src/platform/linux/private-desktop/session-bus.ts';
import { xAuthorityFile } from '../../../../src/platform/linux/private-desktop/x-server.ts';

describe('xAuthorityFile', () => {
  it('is one cookie for every host and display', () => {
    const file = xAuthorityFile(Buffer.from('0123456789abcdef'));
    const hex = (text: string): string => Buffer.from(text).toString('hex');
    expect(file.toString('hex')).toBe(
      ['ffff', '0000', '0000', '0012', hex('MIT-MAGIC-COOKIE-1'), '0010', hex('0123456789abcdef')].join(''),
    );
  });
});

describe('folders', () => {
  it('leave room for socket paths with any TMPDIR', () => {
    expect(baseFolders('/var/tmp')).toEqual(['/var/tmp', '/tmp']);
    expect(baseFolders(`/${'long/'.repeat(20)}`)).toEqual(['/tmp']);
    expect(baseFolders('relative')).toEqual(['/tmp']);
  });

  it('have the name that the sweep recognises', () => {
    const folder = desktopFolder('0123456789');
    expect(FOLDER_NAME.test(folder.root.split('/').at(-1) ?? '')).toBe(true);
    expect(desktopFolder('0123456789', '/my/home').home).toBe('/my/home');
  });
});

describe('desktopEnvironment', () => {
  const folder = desktopFolder('0123456789');
  const inherited = {
    PATH: '/bin',
    LANG: 'de_DE.UTF-8',
    HOME: '/root',
    DISPLAY: ':0',
    WAYLAND_DISPLAY: 'wayland-0',
    XDG_DATA_DIRS: '/nix/share',
    XDG_SESSION_ID: '4',
    NODE_OPTIONS: '--inspect',
    NODE_EXTRA_CA_CERTS: '/x.pem',
    npm_config_x: 'y',
    GTK_A11Y: 'none',
    NO_AT_BRIDGE: '1',
    QT_SCALE_FACTOR: '2',
    DESKTERITY_PRIVATE_DESKTOP: 'outer',
    DESKTERITY_SESSION: 's',
    MY_VARIABLE: 'kept',
    UNSET: undefined,
  };
  const environment = desktopEnvironment(
    '0123456789',
    folder,
    {
      busAddress: sessionBusAddress(folder.runtime),
      ofDisplay: DISPLAY_SERVERS.x11.variables(folder),
    },
    inherited,
  );

  it('keeps the user’s variables and drops the session’s', () => {
    expect(environment).toMatchObject({
      PATH: '/bin',
      LANG: 'de_DE.UTF-8',
      XDG_DATA_DIRS: '/nix/share',
      MY_VARIABLE: 'kept',
      DESKTERITY_SESSION: 's',
      DESKTERITY_PRIVATE_DESKTOP: '0123456789',
      HOME: folder.home,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder.runtime}/bus`,
    });
    for (const name of [
      'DISPLAY',
      'WAYLAND_DISPLAY',
      'XDG_SESSION_ID',
      'NODE_OPTIONS',
      'NODE_EXTRA_CA_CERTS',
      'npm_config_x',
      'GTK_A11Y',
      'NO_AT_BRIDGE',
      'QT_SCALE_FACTOR',
      'UNSET',
    ]) {
      expect(environment).not.toHaveProperty(name);
    }
  });
});

describe('findPrograms', () => {
  it('names exactly the packages that are missing', () => {
    let error: unknown;
    try {
      findPrograms(['Xvfb', 'openbox'], {
        path: '/nowhere',
        dataFolders: '/nowhere',
        folders: [],
        osRelease: 'ID=debian\n',
      });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DeskterityError);
    expect(error).toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
      suggestion: 'Run "apt-get install -y --no-install-recommends xvfb openbox dbus at-spi2-core" as root.',
    });
  });

  it('names the programs if the packages are unknown', () => {
    expect(() =>
      findPrograms(['Xvfb', 'openbox'], { path: '/nowhere', dataFolders: '', folders: [], osRelease: '' }),
    ).toThrow(
      'A private desktop needs Xvfb, openbox, dbus-daemon, at-spi-bus-launcher, which are not installed.',
    );
  });
});

describe('the displays of private desktops', () => {
  it('have names, and no others', () => {
    expect(['x11', 'Wayland'].map((name) => privateDisplay(name))).toEqual(['x11', 'wayland']);
    expect(() => privateDisplay('mir')).toThrow('A private desktop cannot have the display "mir".');
  });

  it('leave no variable that leads to the other kind', () => {
    const folder = desktopFolder('0123456789');
    const made = (display: 'x11' | 'wayland') =>
      desktopEnvironment(
        '0123456789',
        folder,
        { busAddress: 'unix:path=/bus', ofDisplay: DISPLAY_SERVERS[display].variables(folder) },
        {
          DISPLAY: ':0',
          WAYLAND_DISPLAY: 'wayland-0',
          SWAYSOCK: '/run/sway',
          XAUTHORITY: '/x',
          PATH: '/bin',
        },
      );
    expect(made('x11')).toMatchObject({
      XDG_SESSION_TYPE: 'x11',
      GDK_BACKEND: 'x11',
      QT_QPA_PLATFORM: 'xcb',
    });
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'SWAYSOCK'])
      expect(made('x11')).not.toHaveProperty(name);
    expect(made('wayland')).toMatchObject({
      XDG_SESSION_TYPE: 'wayland',
      GDK_BACKEND: 'wayland',
      SWAYSOCK: `${folder.runtime}/sway.sock`,
    });
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'])
      expect(made('wayland')).not.toHaveProperty(name);
  });
});
