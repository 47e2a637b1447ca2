/** Takes over all tasks in a folder once a line arrives on its input, one after the other, and prints which were its own. */
import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { withFileLock } from '../../../src/platform/node/file-lock.ts';
import { createProcessIdentity } from '../../../src/platform/linux/process/facts.ts';
import { TaskRecords } from '../../../src/sessions/tasks/task-records.ts';

const [, , folder = ''] = process.argv;
const records = new TaskRecords({ folder, identity: createProcessIdentity(), locked: withFileLock });
const owner = `connection of ${process.pid}`;
records.enter(owner);
const ids = readdirSync(folder).map((name) => name.replace('.json', ''));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (const id of ids) {
  const record = await records.find(id);
  if (record === undefined || records.isHeld(record)) continue;
  if ((await records.adopt(record, owner)) !== undefined) process.stdout.write(`${id}\n`);
}
process.stdout.write('done\n');
// Its tasks are its own as long as it runs.
await once(process.stdin, 'end');
process.exit(0);
