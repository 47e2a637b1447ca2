import { expect, it } from 'vitest';
import { wasFocusTaken } from '../../src/engine/evidence/focus-taken.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';
import type { DesktopWindow } from '../../src/ports/desktop/windows.ts';

function window(id: string, pid: number, focused = false): DesktopWindow {
  return {
    id,
    title: id,
    appName: 'App',
    appId: `app${pid}`,
    pid,
    focused,
    minimized: false,
    accessible: true,
    root: { app: `app${pid}`, path: id },
  };
}

function active(path: string, detail = 'active=1'): DesktopEvent {
  return { kind: 'state-changed', node: { app: 'app1', path }, detail, atMs: 5 };
}

const alert = window('alert', 1, true);
const main = window('main', 1);
const before = { windows: [main, alert], window: alert, pid: 1 };
const foreign = window('foreign', 2, true);

it.each([
  ['stayed in the application', [{ ...main, focused: true }], [], false],
  [
    'went to another application, and the window is still there',
    [main, { ...alert, focused: false }, foreign],
    [active('main')],
    true,
  ],
  [
    'went to another application, and the window closed with it',
    [main, foreign],
    [active('alert', 'active=0')],
    true,
  ],
  [
    'went to another application after another window of its own',
    [foreign],
    [active('alert', 'active=0'), active('main')],
    false,
  ],
  ['came back to the window before it closed', [foreign], [active('alert'), active('main')], true],
])('the keyboard %s', (_what, windows, events, isTaken) => {
  expect(wasFocusTaken(before, { windows }, events)).toBe(isTaken);
});
