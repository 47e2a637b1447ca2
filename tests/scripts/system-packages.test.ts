import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorLines, listsAreOld, parsePolicy, parseStatusLine } from '../../scripts/lib/apt.mjs';
import { parseDpkg } from '../../scripts/lib/system-packages.mjs';

describe('what dpkg says is installed', () => {
  it('takes installed and held packages, not removed or half-configured ones', () => {
    const text = 'ii  xvfb\nhi  openbox\nrc  dbus\niF  at-spi2-core\nun  kcalc\n';
    expect([...parseDpkg(text)]).toEqual(['xvfb', 'openbox']);
  });
});

describe('what the archives offer', () => {
  it('takes the names with a candidate', () => {
    const text = [
      'xvfb:',
      '  Installed: (none)',
      '  Candidate: 2:21.1.7-3+deb12u9',
      'kcalc:',
      '  Installed: (none)',
      '  Candidate: (none)',
    ].join('\n');
    expect([...parsePolicy(text)]).toEqual(['xvfb']);
  });
});

describe("apt's status lines", () => {
  it('reads kind, subject, percentage and text', () => {
    expect(parseStatusLine('pmstatus:xvfb:62.5:Unpacking xvfb (amd64)')).toEqual({
      kind: 'pmstatus',
      subject: 'xvfb',
      percent: 62.5,
      text: 'Unpacking xvfb (amd64)',
    });
    expect(parseStatusLine('dlstatus:3:9.4:Retrieving file 3 of 40')?.kind).toBe('dlstatus');
    expect(parseStatusLine('pmstatus:libc6:amd64:10:Configuring libc6')?.subject).toBe('libc6:amd64');
  });

  it('leaves other lines alone', () => {
    expect(parseStatusLine('Setting up xvfb (2:21.1.7-3) ...')).toBeUndefined();
  });

  it('keeps the errors of a failed run', () => {
    const output = 'Reading package lists...\nW: old key\nE: Unable to locate package nonesuch\n';
    expect(errorLines(output)).toBe('E: Unable to locate package nonesuch');
  });
});

describe('old package lists', () => {
  function lists(files: readonly string[], ageHours: number): string {
    const folder = mkdtempSync(join(tmpdir(), 'lists-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'partial'));
    for (const name of files) writeFileSync(join(folder, name), '');
    const time = new Date(Date.now() - ageHours * 3_600_000);
    for (const path of [join(folder, 'partial'), folder]) utimesSync(path, time, time);
    return folder;
  }

  it('are those of yesterday, empty or missing ones', () => {
    expect(listsAreOld(lists(['x_main_binary-amd64_Packages'], 1))).toBe(false);
    expect(listsAreOld(lists(['x_main_binary-amd64_Packages.lz4'], 1))).toBe(false);
    expect(listsAreOld(lists(['x_main_binary-amd64_Packages'], 25))).toBe(true);
    expect(listsAreOld(lists(['lock'], 1))).toBe(true);
    expect(listsAreOld('/nonesuch')).toBe(true);
  });
});
