import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import {
  openDesktop,
  startPrivateDesktop,
  type PrivateDesktopHandle,
} from '../../../src/platform/linux/desktops.ts';
import { descendants } from '../../../src/platform/linux/process/facts.ts';
import { createProgramFacts } from '../../../src/platform/linux/process/program-facts.ts';
import { CallerHosts } from '../../../src/policy/guard/caller-hosts.ts';
import { guardedDesktop } from '../../../src/policy/guard/guarded-desktop.ts';
import { readPolicy } from '../../../src/policy/reading/read-policy.ts';
import type { DesktopPort } from '../../../src/ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';

const CALL = { deadlineMs: 5000 };
const DENIED = { code: 'POLICY_DENIED' };
const SECRET = 'swordfish';
const PYTHON = '/usr/bin/python3';

/** A window that says that it belongs to another process and another program, and holds the clipboard. */
const LIAR = `
import sys
from gi.repository import GLib
import gi
gi.require_version('Gtk', '3.0')
gi.require_version('GdkX11', '3.0')
from gi.repository import Gtk, Gdk, GdkX11
GLib.set_prgname('mousepad')
GLib.set_application_name('Mousepad')
window = Gtk.Window(title='${SECRET}')
button = Gtk.Button(label='${SECRET}')
button.connect('clicked', lambda _: open(sys.argv[1], 'a').write('clicked'))
window.add(button)
window.set_default_size(200, 150)
window.show_all()
window.move(40, 320)
import ctypes
x11 = ctypes.CDLL('libX11.so.6')
x11.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))
atom = lambda name: x11.XInternAtom(display, name, 0)
pid = ctypes.c_long(int(sys.argv[2]))
x11.XChangeProperty(display, ctypes.c_ulong(window.get_window().get_xid()), atom(b'_NET_WM_PID'), atom(b'CARDINAL'), 32, 0, ctypes.byref(pid), 1)
x11.XFlush(display)
Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text('${SECRET}', -1)
Gtk.main()
`;

let place: PrivateDesktopHandle;
let open: DesktopPort;
let folder = '';
const children: ChildProcess[] = [];

function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { env: { ...place.environment }, stdio: 'ignore', cwd: folder });
  children.push(child);
  return child;
}

function guarded(applications: { denied?: string[]; allowed?: string[] } = {}) {
  const programs = createProgramFacts(place.environment);
  const hosts = new CallerHosts(programs);
  const file = { table: { applications } };
  const policy = readPolicy([{ path: 'policy.toml', file, isOfProject: false }], {}, { commands: [] });
  return { hosts, desktop: guardedDesktop({ desktop: open, programs, hosts, policyNow: () => policy }) };
}

async function windowOf(fits: (window: DesktopWindow) => boolean): Promise<DesktopWindow> {
  return vi.waitFor(
    async () => {
      const found = (await open.listWindows(CALL)).find(fits);
      if (found?.bounds === undefined) throw new Error('it is not shown yet');
      return found;
    },
    { timeout: 20_000, interval: 100 },
  );
}

const middleOf = ({ bounds }: DesktopWindow) => ({
  x: Math.round((bounds?.x ?? 0) + (bounds?.width ?? 0) / 2),
  y: Math.round((bounds?.y ?? 0) + (bounds?.height ?? 0) / 2),
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'denied-'));
  writeFileSync(join(folder, 'liar.py'), LIAR);
  copyFileSync('/usr/bin/xterm', join(folder, 'notes'));
  place = await startPrivateDesktop({ width: 900, height: 700, deadlineMs: 20_000, inherit: process.env });
  open = await openDesktop(place.environment);
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await open.close();
  await place.stop();
  rmSync(folder, { recursive: true });
});

const PASSWORD_MANAGER = '/usr/bin/keepassxc';
const TK = '/usr/bin/wish';
const isThere = existsSync(PASSWORD_MANAGER) && existsSync(TK);

it.skipIf(!isThere)(
  `a password manager, and a window that calls itself one, are denied without any rule (needs ${PASSWORD_MANAGER} and ${TK})`,
  async () => {
    start(PASSWORD_MANAGER, []);
    start(TK, ['-name', 'KeePassXC']);
    await windowOf(({ appName }) => appName === 'KeePassXC');
    // Tk begins the class of a window with one capital.
    await windowOf(({ appName }) => appName.toLowerCase() === 'keepassxc' && appName !== 'KeePassXC');
    const { desktop } = guarded();
    const windows = await desktop.listWindows(CALL);
    expect(windows.map(({ isDenied }) => isDenied)).toEqual([true, true]);
    for (const { id } of windows)
      await expect(desktop.capture({ kind: 'window', windowId: id }, CALL)).rejects.toMatchObject(DENIED);
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await vi.waitFor(async () => expect(await open.listWindows(CALL)).toEqual([]), { timeout: 10_000 });
  },
);

it('neither a false pid, class nor name lets a window escape its denial or share an allowance', async () => {
  const editor = start('/usr/bin/mousepad', ['--disable-server']);
  const shown = await windowOf(({ pid }) => pid === editor.pid);
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const liar = start(PYTHON, [join(folder, 'liar.py'), log, String(editor.pid)]);
  const isMoved = ({ bounds }: DesktopWindow) => (bounds?.y ?? 0) >= 320;
  const window = await windowOf(
    (shown) => shown.title === SECRET && shown.pid === editor.pid && isMoved(shown),
  );
  expect(window).toMatchObject({ pid: editor.pid, clientPid: liar.pid });
  const middle = middleOf(window);
  const person = await open.input.take('person', CALL);
  await person.moveTo(middle, CALL);
  await person.endLease();
  await open.controlWindow(window.id, { kind: 'focus' }, CALL);
  await vi.waitFor(async () => {
    const now = (await open.listWindows(CALL)).find(({ id }) => id === window.id);
    expect(now?.hasInput).toBe(true);
  });

  for (const rules of [{ denied: ['liar.py'] }, { allowed: ['mousepad'] }]) {
    const { desktop } = guarded(rules);
    const lease = await desktop.input.take('agent', CALL);
    const attempts: readonly (() => Promise<unknown>)[] = [
      () => desktop.controlWindow(window.id, { kind: 'close' }, CALL),
      () => desktop.capture({ kind: 'window', windowId: window.id }, CALL),
      () => lease.moveTo(middle, CALL),
      () => lease.click('left', 1, CALL),
      () => lease.press(parseKeyCombination('space'), CALL),
      () => lease.type('x', { ...CALL, delayMs: 0, check: async () => undefined }),
      () => desktop.clipboard.read('text', CALL),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(DENIED);
    await lease.endLease();
    const windows = await desktop.listWindows(CALL);
    expect(JSON.stringify(windows)).not.toContain(SECRET);
    expect(windows.find(({ id }) => id === shown.id)?.isDenied).toBeUndefined();
    const { bgrx, width } = await desktop.capture({ kind: 'screen' }, CALL);
    const at = (middle.y * width + middle.x) * 4;
    expect([...bgrx.subarray(at, at + 3)]).toEqual([0x7f, 0x7f, 0x7f]);
    await expect(desktop.readTree(treeOf(shown))).resolves.toMatchObject({ complete: true });
  }
  // Nothing was sent: a click that nobody forbids is told.
  const lease = await open.input.take('person', CALL);
  await lease.click('left', 1, CALL);
  await lease.endLease();
  await vi.waitFor(async () => {
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(log, 'utf8')).toBe('clicked');
  });
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

it('the terminal of a caller is denied, whatever its program is called, and stays so', async () => {
  const terminal = start(join(folder, 'notes'), ['-e', 'sleep', '300']);
  const window = await windowOf(({ pid }) => pid === terminal.pid);
  const { desktop, hosts } = guarded();
  const isDenied = async () => (await desktop.listWindows(CALL)).find(({ id }) => id === window.id)?.isDenied;
  expect(await isDenied()).toBeUndefined();
  const caller = await vi.waitFor(() => {
    const [found] = descendants(terminal.pid ?? 0);
    if (found === undefined) throw new Error('it has not started yet');
    return found;
  });
  await hosts.note(caller);
  expect(await isDenied()).toBe(true);
  process.kill(caller, 'SIGKILL');
});

function treeOf({ root }: DesktopWindow) {
  if (root === undefined) throw new Error('it has no tree');
  return { ...CALL, root, wholeTree: false, maxNodes: 500, includeActions: false };
}
