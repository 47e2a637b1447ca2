import { parseKey } from '../../../src/model/text/key-combination.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';

/** Holds a key and a button until it is killed. */
const CALL = { deadlineMs: 10_000 };
const desktop = new LinuxDesktop(process.env);
const lease = await desktop.input.take('holder', CALL);
await lease.moveTo({ x: 200, y: 200 }, CALL);
await lease.keyDown(parseKey('Shift'), CALL);
await lease.buttonDown('left', CALL);
process.stdout.write('held\n');
setInterval(() => undefined, 60_000);
