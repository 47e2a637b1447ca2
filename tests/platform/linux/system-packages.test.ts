import { describe, expect, it } from 'vitest';
import {
  installCommand,
  PACKAGE_FAMILIES,
  packagesFor,
  packagesForPrograms,
  readOsRelease,
  updateCommand,
} from '../../../src/platform/linux/system-packages.ts';
import data from '../../../src/platform/linux/system-packages.json' with { type: 'json' };

describe('readOsRelease', () => {
  it.each([
    ['ID=debian\nVERSION_ID="12"\n', 'debian', 'apt'],
    ['ID=ubuntu\nID_LIKE=debian\n', 'ubuntu', 'apt'],
    ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n', 'linuxmint', 'apt'],
    ['ID=fedora', 'fedora', 'dnf'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'rocky', 'dnf'],
    ['ID=arch\r\n', 'arch', 'pacman'],
    ["ID='manjaro'\nID_LIKE='arch'\n", 'manjaro', 'pacman'],
    ['ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', 'opensuse-tumbleweed', 'zypper'],
    ['ID=alpine\n', 'alpine', 'apk'],
    ['ID=nixos\n', 'nixos', undefined],
    ['', '', undefined],
  ])('%j', (text, id, family) => {
    expect(readOsRelease(text)).toEqual({ id, family });
  });
});

describe('package table', () => {
  it('has names in every family for every group and program', () => {
    const columns = [
      ...Object.values(data.groups).map((group) => group.packages),
      ...Object.values(data.programs),
    ];
    for (const column of columns) expect(Object.keys(column).sort()).toEqual([...PACKAGE_FAMILIES].sort());
    const names = Object.values(data.groups).flatMap((group) => Object.values(group.packages).flat());
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9.+_-]*$/);
  });

  it('includes every program of the private desktop', () => {
    for (const family of PACKAGE_FAMILIES) {
      const group = packagesFor(['private-desktop'], { id: '', family }).packages;
      for (const name of packagesForPrograms(
        ['Xvfb', 'openbox', 'dbus-daemon', 'at-spi-bus-launcher'],
        family,
      )) {
        expect(group).toContain(name);
      }
    }
  });

  it('names each package once and marks snaps on Ubuntu', () => {
    const debian = packagesFor(['private-desktop', 'private-desktop', 'firefox'], {
      id: 'debian',
      family: 'apt',
    });
    expect(debian.unavailable).toEqual([]);
    expect(debian.packages.filter((name) => name === 'xvfb')).toHaveLength(1);
    expect(debian.packages).toContain('firefox-esr');
    const ubuntu = packagesFor(['chromium', 'firefox', 'demo-gtk'], { id: 'ubuntu', family: 'apt' });
    expect(ubuntu.packages).toEqual(['mousepad', 'galculator']);
    expect(ubuntu.unavailable.map((entry) => entry.group)).toEqual(['chromium', 'firefox']);
  });

  it('reports unknown names', () => {
    const unknown = packagesFor(['demo-qt'], { id: 'nixos', family: undefined });
    expect(unknown.packages).toEqual([]);
    expect(unknown.unavailable[0]?.reason).toContain('nixos');
  });

  it('builds the commands', () => {
    expect(installCommand('apt', ['xvfb', 'openbox'])).toBe(
      'apt-get install -y --no-install-recommends xvfb openbox',
    );
    expect(updateCommand('apt')).toBe('apt-get update');
    expect(updateCommand('dnf')).toBeUndefined();
  });
});
