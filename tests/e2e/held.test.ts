import { expect, it } from 'vitest';
import { InputDisplay } from '../linux/x11/input-display.ts';
import { usePlace } from './harness.ts';

const place = usePlace();

it('keys and buttons that are down when the daemon is killed are released within a second', async () => {
  const { DISPLAY = '', XAUTHORITY } = place().desktop.environment;
  const display = await InputDisplay.open(DISPLAY, XAUTHORITY);
  try {
    expect((await place().desk(['launch', 'kcalc', '--wait'])).exitCode).toBe(0);
    expect((await place().desk(['key-down', 'Shift'])).exitCode).toBe(0);
    expect((await place().desk(['mouse', 'down', 'left'])).exitCode).toBe(0);
    expect(await display.held()).toEqual(['Shift', 'left button']);
    const daemon = place().daemonPid();
    if (daemon === undefined) throw new Error('there is no daemon');
    const killed = performance.now();
    process.kill(daemon, 'SIGKILL');
    await expect.poll(() => display.held(), { timeout: 5000, interval: 10 }).toEqual([]);
    expect(performance.now() - killed).toBeLessThan(1000);
    // The next daemon has keyboard and pointer at once.
    const pressed = await place().desk(['press', 'Escape']);
    expect(pressed.receipt.delivered).toBe(true);
  } finally {
    display.close();
  }
});
