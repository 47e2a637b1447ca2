/** Keeps a terminal whose state folder is on a file system that gets full, and prints what has become of it. Its arguments: that folder, one for the shells, and the bundle of the spawn worker. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskReserve } from '../../../src/operations/output/disk-reserve.ts';
import { createProcesses } from '../../../src/platform/linux/sandbox/processes/create-processes.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import type { RunRequest } from '../../../src/ports/terminals.ts';
import { HeldTerminals } from '../../../src/terminal/sessions/held/held-terminals.ts';

const [, , folder = '', shellFolder = '', workerFile = ''] = process.argv;
const reserve = new DiskReserve(join(folder, 'reserve'));
await reserve.keep();
const terminals = new HeldTerminals({
  processes: createProcesses({ workerFile }),
  clock: createClock(),
  log: { write: () => undefined },
  stateFolder: folder,
  shellFolder,
  reserve,
  holder: { socket: '', pid: process.pid, start_time: '', boot_id: '' },
  onCommandEnd: () => undefined,
  onEnd: () => undefined,
});
const home = join(shellFolder, 'home');
mkdirSync(home);
writeFileSync(join(home, '.bash_profile'), "PS1='$ '\n");
const terminal = await terminals.open({
  name: { projectPath: home, tag: 'full' },
  shell: '/bin/bash',
  environment: { HOME: home, PATH: '/usr/bin:/bin' },
  cwd: home,
  confinement: {
    by: 'none',
    scope: home,
    read: [],
    write: [],
    network: true,
    unixSockets: true,
    denyReport: false,
  },
  size: { columns: 80, rows: 24 },
  budgetBytes: 64 * 1024 * 1024,
});

async function run(command: string): Promise<object> {
  const request: RunRequest = {
    command,
    isBackground: false,
    waitMs: 40_000,
    lines: 3,
    interrupt: undefined,
    clear: false,
  };
  const { kind, exitCode, tail, leftOut } = await terminal.run(request, new AbortController().signal);
  return { kind, exitCode, text: tail?.text, leftOut };
}

const filler = join(folder, 'filler');
try {
  writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024, 'x'));
} catch {
  // The disk is full now.
}
const full = await run('seq 100000');
const { text } = await terminal.lines(3);
rmSync(filler);
// After a second it tries the disk again.
await new Promise((resolve) => setTimeout(resolve, 1100));
const after = await run('echo after');
const { id } = terminal;
await terminal.close({ interruptMs: 200, terminateMs: 200 }, 'caller');
const record: unknown = JSON.parse(readFileSync(join(folder, 'terminals', id, 'terminal.json'), 'utf8'));
process.stdout.write(JSON.stringify({ full, text, after, record }));
process.exit(0);
