import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logFile } from '../../src/platform/node/logs/log-folder.ts';
import {
  daemonSocket,
  dailyLogFile,
  logFolder,
  resolvePaths,
  socketFolderProblem,
} from '../../src/platform/paths.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'place-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the socket of the daemon', () => {
  it('is in our runtime folder, otherwise in the temporary folder', () => {
    const user = process.getuid?.();
    const temporary = join(folder, `deskterity-${user}`, 'daemon.sock');
    expect(daemonSocket({ XDG_RUNTIME_DIR: folder })).toBe(join(folder, 'deskterity/daemon.sock'));
    for (const runtime of [undefined, '', 'relative', join(folder, 'missing')])
      expect(daemonSocket({ XDG_RUNTIME_DIR: runtime, TMPDIR: folder })).toBe(temporary);
  });

  it('is in the usual runtime folder if the environment names neither that nor a temporary folder', () => {
    const usual = join(folder, String(process.getuid?.()));
    mkdirSync(usual);
    const socket = join(usual, 'deskterity/daemon.sock');
    const elsewhere = join(tmpdir(), `deskterity-${process.getuid?.()}`, 'daemon.sock');
    for (const [mode, expected] of [
      [0o700, socket],
      [0o750, elsewhere],
      [0o701, elsewhere],
    ] as const) {
      chmodSync(usual, mode);
      expect(daemonSocket({}, folder)).toBe(expected);
      expect(daemonSocket({ XDG_RUNTIME_DIR: '' }, folder)).toBe(expected);
    }
    chmodSync(usual, 0o700);
    expect(daemonSocket({ TMPDIR: folder }, folder)).toBe(
      join(folder, `deskterity-${process.getuid?.()}`, 'daemon.sock'),
    );
    expect(daemonSocket({ XDG_RUNTIME_DIR: '/missing' }, folder)).toBe(elsewhere);
    rmSync(usual, { recursive: true });
    expect(daemonSocket({}, folder)).toBe(elsewhere);
    symlinkSync(tmpdir(), usual);
    expect(daemonSocket({}, folder)).toBe(elsewhere);
  });

  it('has a path short enough for a socket, unique per folder', () => {
    const [one, other] = ['a', 'b'].map((letter) =>
      daemonSocket({ TMPDIR: `/${letter.repeat(150)}`, XDG_RUNTIME_DIR: undefined }),
    );
    expect(Buffer.byteLength(one ?? '')).toBeLessThanOrEqual(100);
    expect(one).not.toBe(other);
  });
});

describe('the folder of the socket', () => {
  const socket = () => join(folder, 'in/daemon.sock');

  it('is created if missing, and accepted if it is ours', () => {
    expect(socketFolderProblem(socket())).toBeUndefined();
    expect(socketFolderProblem(socket())).toBeUndefined();
  });

  it('is refused if others can write to it, or if it is a link or not a folder', () => {
    mkdirSync(join(folder, 'in'));
    for (const mode of [0o777, 0o770, 0o702]) {
      chmodSync(join(folder, 'in'), mode);
      expect(socketFolderProblem(socket())).toBe('can be written by other users');
    }
    rmSync(join(folder, 'in'), { recursive: true });
    symlinkSync(tmpdir(), join(folder, 'in'));
    expect(socketFolderProblem(socket())).toBe('is not a folder');
    rmSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in'), '');
    expect(socketFolderProblem(socket())).toBe('is not a folder');
  });

  it('that cannot be created reports the reason', () => {
    expect(socketFolderProblem('/proc/deskterity/daemon.sock')).toMatch(/^cannot be created \(E\w+\)$/);
  });
});

it('the log is read where it is written', () => {
  const environment = { HOME: folder };
  for (const moment of [new Date(), new Date(2026, 0, 5), new Date(2031, 10, 30, 23, 59, 59)])
    expect(dailyLogFile(environment, moment)).toBe(
      logFile(logFolder(resolvePaths(environment).cache), moment),
    );
});
