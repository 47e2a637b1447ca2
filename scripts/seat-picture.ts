/**
 * `node scripts/run-ts.mjs scripts/seat-picture.ts`: makes docs/images/own-seat.png, the screen of a display on which a user types in one window and a seat of our own
 * in another one, as the server draws it with both pointers.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { windowIdOf } from '../src/platform/linux/display/x11/windows/window-id.ts';
import { X11Wire } from '../src/platform/linux/display/x11/wire.ts';
import { X11Controls } from '../src/platform/linux/display/x11/x11-display.ts';
import { ScriptedUser } from '../tests/linux/x11/scripted-user.ts';
import { openTextWindow } from '../tests/linux/x11/text-window.ts';
import { TestServer } from '../tests/linux/x11/x-server.ts';
import { until } from '../tests/until.ts';

const PICTURE = 'docs/images/own-seat.png';
const CALL = { deadlineMs: 5000 };
/** For the server to draw. */
const DRAWN_MS = 300;
const OURS = 'Dear Ada, the report is ready.';
const THEIRS = '3.14159265358979';

const server = await TestServer.start({ framebuffer: true, screen: '900x300x24' });
const controls = new X11Controls((options) => X11Wire.connect(server.display, options));
const user = await ScriptedUser.open(server.display);
try {
  const theirs = await openTextWindow(server, 'The window of the user', { x: 470, y: 40 });
  const ours = await openTextWindow(server, 'The window of the agent', { x: 20, y: 40 });
  await user.moveTo(theirs.point.x, theirs.point.y);
  await user.activate(theirs.id);
  await until(async () => (await user.place()).active === theirs.id, 'the window of the user');
  const lease = await controls.ownSeat.input.take('agent', CALL);
  await lease.moveTo(ours.point, CALL);
  await lease.click('left', 1, CALL);
  const into = windowIdOf(ours.id);
  const typing = lease.type(OURS, { ...CALL, delayMs: 20, check: async () => undefined, into });
  for (const character of THEIRS.replace('.', '')) await user.press(character);
  await typing;
  await until(() => ours.text() === OURS && theirs.text() === THEIRS.replace('.', ''), 'both texts');
  // GTK hides a pointer while somebody types under it.
  for (const by of [12, 20]) {
    await user.moveTo(theirs.point.x + by, theirs.point.y);
    await lease.moveTo({ x: ours.point.x + by - 100, y: ours.point.y }, CALL);
    await new Promise((resolve) => void setTimeout(resolve, DRAWN_MS));
  }
  execFileSync('convert', [`xwd:${join(server.folder, 'Xvfb_screen0')}`, PICTURE]);
  process.stdout.write(`wrote ${PICTURE}\n`);
} finally {
  await controls.close();
  user.close();
  server.stop();
}
