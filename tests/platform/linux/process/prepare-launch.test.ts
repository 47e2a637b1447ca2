import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareLaunch, type PreparedLaunch } from '../../../../src/platform/linux/process/prepare-launch.ts';

let home = '';
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'prepare-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function prepare(
  program: string,
  args: readonly string[] = [],
  place: { isPrivate?: boolean; isRoot?: boolean; environment?: Record<string, string> } = {},
): PreparedLaunch {
  const { isPrivate = false, isRoot = false, environment = {} } = place;
  return prepareLaunch(
    { name: 'x', program, args },
    { isPrivate, isRoot, environment: { HOME: home, ...environment } },
  );
}

describe('prepareLaunch', () => {
  it('adds only what accessibility needs on the user’s own desktop', () => {
    const chromium = prepare('/usr/bin/chromium', ['page.html'], { isRoot: true });
    expect(chromium.args).toEqual(['--force-renderer-accessibility', 'page.html']);
    expect(chromium.adjustments).toContain('--force-renderer-accessibility');
    expect(prepare('/usr/bin/firefox', ['page.html']).args).toEqual(['page.html']);
    expect(prepare('/usr/bin/soffice').args).toEqual(['--nologo']);
    expect(prepare('/usr/bin/soffice').environment['SAL_USE_VCLPLUGIN']).toBe('gtk3');
  });

  it('uses a new browser profile on a private desktop', () => {
    const profiles = [0, 1].map(
      () => prepare('/usr/bin/firefox-esr', ['a'], { isPrivate: true }).args[2] ?? '',
    );
    expect(profiles[0]).not.toBe(profiles[1]);
    expect(readFileSync(path.join(profiles[0] ?? '', 'user.js'), 'utf8')).toContain(
      '"browser.aboutwelcome.enabled", false',
    );
    const chromium = prepare('/usr/bin/chromium', [], { isPrivate: true, isRoot: true });
    const folder =
      chromium.args.find((arg) => arg.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length) ?? '';
    expect(folder.startsWith(home) && existsSync(folder)).toBe(true);
    expect(chromium.args).toContain('--no-sandbox');
    expect(prepare('/usr/bin/chromium', [], { isPrivate: true }).args).not.toContain('--no-sandbox');
  });

  it('leads Chromium to a Wayland display only where a private desktop has one', () => {
    const environment = { WAYLAND_DISPLAY: 'wayland-1', XDG_RUNTIME_DIR: '/run/x' };
    const wayland = prepare('/usr/bin/chromium', [], { isPrivate: true, environment });
    expect(wayland.args).toContain('--ozone-platform=wayland');
    for (const place of [{ isPrivate: true, environment: { DISPLAY: ':0' } }, { environment }])
      expect(prepare('/usr/bin/chromium', [], place).args).not.toContain('--ozone-platform=wayland');
  });

  it('keeps the caller’s options', () => {
    const chromium = prepare('/usr/bin/chromium', ['--user-data-dir=/x', '--force-renderer-accessibility'], {
      isPrivate: true,
    });
    expect(chromium.args.filter((arg) => arg.startsWith('--user-data-dir'))).toEqual(['--user-data-dir=/x']);
    expect(chromium.adjustments).not.toContain('--force-renderer-accessibility');
    const firefox = prepare('/usr/bin/firefox', ['-profile', '/p'], { isPrivate: true });
    expect(firefox.args).toEqual(['--no-remote', '-profile', '/p']);
  });

  it('recognises an Electron application by the files next to it', () => {
    const folder = path.join(home, 'app');
    mkdirSync(path.join(folder, 'resources'), { recursive: true });
    writeFileSync(path.join(folder, 'resources/app.asar'), '');
    expect(prepare(path.join(folder, 'notes')).args).toEqual(['--force-renderer-accessibility']);
  });

  it('enables the Java bridge if it is installed', () => {
    const isInstalled = existsSync('/usr/share/java/java-atk-wrapper.jar');
    const { args, environment } = prepare('/usr/bin/java', ['-jar', 'app.jar']);
    const bridged = args.some((arg) => arg.endsWith('=org.GNOME.Accessibility.AtkWrapper'));
    expect([bridged, environment['DBUS_FATAL_WARNINGS']]).toEqual([isInstalled, '0']);
    expect(args.slice(-2)).toEqual(['-jar', 'app.jar']);
  });

  it('reports only what it changed', () => {
    const environment = { QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1', GNOME_ACCESSIBILITY: '1' };
    expect(prepare('/usr/bin/kcalc', [], { environment }).adjustments).toEqual([]);
    expect(prepare('/usr/bin/kcalc').adjustments).toEqual([
      'QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1',
      'GNOME_ACCESSIBILITY=1',
    ]);
  });
});
