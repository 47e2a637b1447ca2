import { spawn } from 'node:child_process';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { launchApp } from '../../../src/platform/linux/process/launch.ts';

/**
 * Owns a private desktop until it is killed. Every process it starts carries `DESKTERITY_TEST_TAG`. With the argument `programs` it
 * starts programs that try to escape: a daemon with a session of its own, one that ignores TERM, a stopped one, one without environment. With
 * `browsers` it starts two. With `wayland` the display is no X server. With `wayland` its display is not an X server.
 */
const ESCAPEES = [
  ['setsid', 'sh', '-c', 'setsid sleep 1001 & exit 0'],
  ['sh', '-c', "trap '' TERM HUP; sleep 1002 & wait; sleep 1003"],
  ['sh', '-c', 'kill -STOP $$; sleep 1004'],
  ['sh', '-c', 'env -i sleep 1005 & sleep 0.05; exit 0'],
  ['galculator'],
  [
    'sh',
    '-c',
    'gdbus call --session --dest org.gnome.Calculator.SearchProvider --object-path / --method a.b || true',
  ],
];

const desktop = await PrivateDesktop.start({
  deadlineMs: 20_000,
  home: process.env['DESKTERITY_TEST_HOME'],
  display: process.argv.includes('wayland') ? 'wayland' : 'x11',
});
if (process.argv[2] === 'programs') {
  for (const [program = '', ...args] of ESCAPEES) {
    const child = spawn(program, args, { env: { ...desktop.environment }, detached: true, stdio: 'ignore' });
    child.unref();
    if (child.pid !== undefined) desktop.adopt(child.pid);
  }
}
if (process.argv[2] === 'browsers') {
  for (const app of ['chromium', 'firefox-esr']) {
    await launchApp(
      { app, args: ['about:blank'], cwd: '/', deadlineMs: 5000 },
      { environment: desktop.environment, privateDesktop: desktop },
    );
  }
}
process.stdout.write(
  `${JSON.stringify({ id: desktop.id, display: desktop.display, readyInMs: desktop.readyInMs, environment: desktop.environment })}\n`,
);
setInterval(() => undefined, 60_000);
