import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startFixture, type Fixture } from '../../fixtures/driver.ts';
import { startAccessibility } from '../../src/platform/linux/private-desktop/accessibility.ts';
import { DISPLAY_SERVERS } from '../../src/platform/linux/private-desktop/display-server.ts';
import { desktopEnvironment } from '../../src/platform/linux/private-desktop/environment.ts';
import { findPrograms } from '../../src/platform/linux/private-desktop/programs.ts';
import { sessionBusAddress, startSessionBus } from '../../src/platform/linux/private-desktop/session-bus.ts';
import { Supervisor } from '../../src/platform/linux/private-desktop/supervisor.ts';
import { startWindowManager } from '../../src/platform/linux/private-desktop/window-manager.ts';
import { xAuthorityFile, startXServer } from '../../src/platform/linux/private-desktop/x-server.ts';

const DEADLINE_MS = 30_000;

/** A desktop like a user's own: nothing marks it as ours. It ends with this process at the latest. */
export interface UserDesktopStage {
  readonly display: string;
  readonly fixture: Fixture;
  stop(): Promise<void>;
}

export async function startUserDesktop(title: string): Promise<UserDesktopStage> {
  const root = mkdtempSync(path.join(tmpdir(), 'users-'));
  const made = (name: string): string => {
    mkdirSync(path.join(root, name), { mode: 0o700 });
    return path.join(root, name);
  };
  const runtime = made('run');
  const logs = made('logs');
  const authorityFile = path.join(root, 'authority');
  const folder = {
    root,
    runtime,
    logs,
    authorityFile,
    home: made('home'),
    temporary: made('tmp'),
    ownerFile: path.join(root, 'owner'),
  };
  const busAddress = sessionBusAddress(runtime);
  const inherited = { PATH: process.env['PATH'] };
  const { DESKTERITY_PRIVATE_DESKTOP: _, ...bare } = desktopEnvironment(
    'none',
    folder,
    { busAddress, ofDisplay: DISPLAY_SERVERS.x11.variables(folder) },
    inherited,
  );
  const supervisor = new Supervisor({ id: `none-${process.pid}`, folder: root, ownerPid: process.pid });
  const programs = findPrograms(DISPLAY_SERVERS.x11.needed, {
    path: bare['PATH'] ?? '',
    dataFolders: bare['XDG_DATA_DIRS'] ?? '',
  });
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const common = {
    logFolder: logs,
    signal,
    onStarted: (pid: number, startTime: string) => supervisor.noteService(pid, startTime),
  };
  let fixture: Fixture | undefined;
  const stop = async (): Promise<void> => {
    await fixture?.stop();
    await supervisor.finish();
  };
  try {
    writeFileSync(authorityFile, xAuthorityFile(randomBytes(16)), { mode: 0o600 });
    await startSessionBus({
      ...common,
      program: programs.of('dbus-daemon'),
      environment: bare,
      runtimeFolder: runtime,
    });
    const display = await startXServer({
      ...common,
      program: programs.of('Xvfb'),
      environment: bare,
      width: 1024,
      height: 768,
      authorityFile,
      onNumber: (number) => supervisor.noteDisplay(number),
    });
    const environment = { ...bare, DISPLAY: display };
    await startAccessibility({
      busAddress,
      variables: { DISPLAY: display },
      deadlineMs: DEADLINE_MS,
      signal,
    });
    await startWindowManager({
      ...common,
      program: programs.of('openbox'),
      environment,
      configFolder: runtime,
    });
    fixture = await startFixture('gtk3', { environment, title, deadlineMs: DEADLINE_MS });
    return { display, fixture, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
