/** Appends entries to the log in a folder until it is killed or has written so many, and prints each number once it is on the disk. */
import { intent, openLog } from './support.ts';

const [, , folder = '', name = '', count = ''] = process.argv;
const log = openLog(folder);
for (let at = 0; at < Number(count); at += 1) {
  const { sequence, synced } = await log.record(intent(`${name} ${at}`));
  await synced;
  process.stdout.write(`${sequence}\n`);
}
