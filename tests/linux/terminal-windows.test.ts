import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { envelope, useLab, type Ran } from '../daemon/support.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { until } from '../until.ts';

const run = promisify(execFile);
const lab = useLab({ hasHolder: true });
let desktop: PrivateDesktop;
const children: ChildProcess[] = [];

beforeAll(async () => {
  desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
});
afterAll(async () => desktop.stop());
afterEach(async () => {
  await desk('terminal', 'close');
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function environment(): NodeJS.ProcessEnv {
  const { HOME: _home, XDG_RUNTIME_DIR: _runtime, ...display } = desktop.environment;
  const settings = { SHELL: '/bin/bash', DESKTERITY_TERMINAL_APP: 'xterm' };
  return { ...display, ...lab().environment(settings) };
}

function desk(...args: readonly string[]): Promise<Ran> {
  return lab().desk(args, environment());
}

async function done(...args: readonly string[]): Promise<string> {
  const ran = await desk(...args);
  const { ok, message } = envelope(ran);
  if (!ok) throw new Error(ran.stdout);
  return String(message);
}

/** What the X server says, asked by other programs than ours. */
async function x(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(program, args, { env: { ...desktop.environment } });
  return stdout.trim();
}

/** The window that the window manager has as active, and the one that keys go to. */
async function focus(): Promise<{ readonly active: string; readonly keys: string }> {
  const active = /0x[0-9a-f]+/.exec(await x('xprop', '-root', '_NET_ACTIVE_WINDOW'))?.[0] ?? '';
  return { active, keys: await x('xdotool', 'getwindowfocus') };
}

async function titleOf(window: string): Promise<string> {
  return x('xdotool', 'getwindowname', window);
}

describe('xterm', () => {
  beforeEach(async () => {
    const mine = spawn('xterm', ['-T', 'mine', '-e', 'cat'], { env: { ...desktop.environment } });
    children.push(mine);
    await x('xdotool', 'search', '--sync', '--onlyvisible', '--name', '^mine$');
    const end = performance.now() + 10_000;
    while ((await titleOf((await focus()).active)) !== 'mine') {
      if (performance.now() > end) throw new Error('the window of the user has not got the focus');
      await sleep(20);
    }
  });

  it('opens with the terminal in it, and what had the focus has it still; focus raises it', async () => {
    const file = join(lab().folder, 'typed');
    await done('terminal', 'execute', '--', 'echo here before');
    const before = await focus();
    const message = await done('terminal', 'open');
    expect(await focus()).toEqual(before);
    expect(message).toMatch(/Shown by xterm\. Via .*xterm: it is attached; .*"XTerm"/);
    const [window = ''] = (await x('xdotool', 'search', '--name', '::TERMINATOR_SESSION::')).split('\n');
    expect(await titleOf(window)).toMatch(
      /^::TERMINATOR_SESSION::PROJECT_HASH=[0-9a-f]{64}::TAG=.*::PID=\d+::$/,
    );
    const { sessions } = envelope(await desk('terminal', 'list'));
    expect(sessions).toMatchObject([
      { attached: 1, window_identifier: `x11:0x${Number(window).toString(16)}`, tab_identifier: null },
    ]);
    expect(await done('terminal', 'open')).toContain('it is already shown');
    expect(await focus()).toEqual(before);

    expect(await done('terminal', 'focus')).toContain('its window has the focus');
    expect(Number((await focus()).active)).toBe(Number(window));
    await x('xdotool', 'type', '--delay', '20', `echo by hand > ${file}\n`);
    await until(() => existsSync(file) && readFileSync(file, 'utf8') === 'by hand\n', 'the shell has it');
    // The title is ours, whatever the program in it says.
    await done('terminal', 'execute', '--', String.raw`printf '\033]0;another\007'; echo said`);
    expect(await titleOf(window)).toContain('::TERMINATOR_SESSION::');

    await done('terminal', 'close');
    await expect.poll(() => x('xdotool', 'search', '--name', 'TERMINATOR').catch(() => 'none')).toBe('none');
  });

  it('is opened by focus where nothing shows it', async () => {
    await done('terminal', 'execute', '--', 'true');
    expect(await done('terminal', 'focus')).toContain('it was not shown before');
    expect(await titleOf((await focus()).active)).toContain('::TERMINATOR_SESSION::');
  });

  it('comes to the front with the tmux in it that shows the terminal', async () => {
    const socket = join(lab().folder, 'tmux.sock');
    const tmux = (...args: readonly string[]) => x('tmux', '-S', socket, '-f', '/dev/null', ...args);
    const client = spawn(
      'xterm',
      ['-e', 'tmux', '-S', socket, '-f', '/dev/null', 'new-session', 'sleep 600'],
      {
        env: { ...desktop.environment },
      },
    );
    children.push(client);
    try {
      let told = '';
      while (!told.startsWith('%')) {
        await sleep(20);
        told = await tmux('list-clients', '-F', '#{pane_id} #{pid} #{session_id}').catch(() => '');
      }
      const [pane = '', pid = '', session = ''] = told.split(' ');
      while ((await titleOf((await focus()).active)) === 'mine') await sleep(20);
      const front = await focus();
      await x('xdotool', 'search', '--name', '^mine$', 'windowactivate', '--sync');
      expect(await focus()).not.toEqual(front);
      const inTmux = {
        TMUX: `${socket},${pid},${session.slice(1)}`,
        TMUX_PANE: pane,
        DESKTERITY_TERMINAL_APP: 'auto',
      };
      const call = async (...args: readonly string[]) =>
        envelope(await lab().desk(args, { ...environment(), ...inTmux })).message;
      await call('terminal', 'execute', '--', 'true');
      expect(await call('terminal', 'focus')).toMatch(/Shown by tmux\..*its window has the focus/);
      expect(await focus()).toEqual(front);
      expect(await tmux('display-message', '-p', '#{pane_title}')).toContain('::TERMINATOR_SESSION::');
    } finally {
      await tmux('kill-server').catch(() => undefined);
    }
  });
});
