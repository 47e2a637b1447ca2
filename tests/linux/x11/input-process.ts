import { join } from 'node:path';
import { parseKey } from '../../../src/model/text/key-combination.ts';
import { X11Controls } from '../../../src/platform/linux/display/x11/x11-display.ts';
import { startGuard } from '../../../src/platform/linux/display/x11/input/release-guard.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import type { CallOptions } from '../../../src/ports/call-options.ts';

/**
 * Another process that uses keyboard and pointer: `hold` holds Shift and the left button down, `type TEXT` types; `hold-guarded` has a process
 * that releases them if it is killed. `seat` and `seat-guarded` make a keyboard and a pointer of their own, and hold Shift down there. One line for each
 * thing done.
 */
const CALL = { deadlineMs: 20_000 };
const [, , display = '', doing = '', text = ''] = process.argv;
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const file = join(import.meta.dirname, 'release-held.mjs');
const guarded = { startGuard: () => startGuard({ file, display, xauthority: undefined }) };
const connect = (options: CallOptions) => X11Wire.connect(display, options);
const controls = new X11Controls(connect, doing.endsWith('-guarded') ? guarded : {});
try {
  const { input } = doing.startsWith('seat') ? controls.ownSeat : controls;
  const lease = await input.take(`process ${doing}`, CALL);
  say('taken');
  if (doing.startsWith('seat')) {
    await lease.keyDown(parseKey('Shift'), CALL);
    say('holding');
    setInterval(() => undefined, 60_000);
  } else if (doing.startsWith('hold')) {
    await lease.keyDown(parseKey('Shift'), CALL);
    await lease.buttonDown('left', CALL);
    say('holding');
    setInterval(() => undefined, 60_000);
  } else {
    await lease.type(text, {
      ...CALL,
      delayMs: 10,
      check: async () => undefined,
      onTyped: (count) => say(`typed ${count}`),
    });
    await lease.endLease();
    await controls.close();
  }
} catch (error) {
  say(`failed ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`);
  await controls.close();
}
