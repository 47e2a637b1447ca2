/** Runs operations whose state folder is on a file system that gets full, and prints what has become of them. Its argument is the folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskReserve } from '../../../src/operations/output/disk-reserve.ts';
import { RUN_LIMITS } from '../../../src/operations/operation-parts.ts';
import { OperationRunner } from '../../../src/operations/operation-runner.ts';
import { readOutput } from '../../../src/operations/output/output-reader.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { unconfinedProcesses } from './unconfined-processes.ts';

const [, , folder = ''] = process.argv;
const stateFolder = join(folder, 'state');
mkdirSync(stateFolder);
mkdirSync(join(stateFolder, 'operations'));
const reserve = new DiskReserve(join(stateFolder, 'operations', 'reserve'));
await reserve.keep();
const over = new Set<string>();
const runner = new OperationRunner({
  parts: {
    processes: unconfinedProcesses(),
    clock: createClock(),
    log: { write: () => undefined },
    stateFolder,
    reserve,
    holder: { socket: '', pid: process.pid, start_time: '', boot_id: '' },
    limits: RUN_LIMITS,
  },
  mostRunning: 4,
  onChange: ({ operation_id, ended_at }) => {
    if (ended_at !== undefined) over.add(operation_id);
  },
});

async function start(script: string): Promise<string> {
  const { operation_id } = await runner.start({
    tool: 'test',
    steps: [
      {
        command: ['/bin/sh', '-c', script],
        cwd: '/',
        environment: { PATH: process.env['PATH'] ?? '' },
        confinement: {
          by: 'none',
          scope: '/',
          read: [],
          write: [],
          network: true,
          unixSockets: true,
          denyReport: false,
        },
      },
    ],
    scope: '/',
    budgetBytes: 64 * 1024 * 1024,
    session: 'default',
    output: 'merged',
  });
  return operation_id;
}

async function result(id: string) {
  while (!over.has(id)) await sleep(10);
  const place = join(stateFolder, 'operations', id);
  const output = join(place, 'output');
  const source = { folder: output, kind: 'merged', isComplete: true } as const;
  const read = await readOutput(source, { tail: 1, maxTokens: 500 });
  const bytes = readdirSync(output).reduce((sum, name) => sum + statSync(join(output, name)).size, 0);
  const record: unknown = JSON.parse(readFileSync(join(place, 'operation.json'), 'utf8'));
  return { record, read, bytes };
}

/** Leaves not a byte free. */
function fill(): void {
  for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (let index = 0; ; index += 1)
        writeFileSync(join(folder, `filler-${size}-${index}`), Buffer.alloc(size, 1), { flag: 'wx' });
    } catch {
      // A smaller one may still have room.
    }
  }
}

function makeRoom(): void {
  for (const name of readdirSync(folder)) if (name.startsWith('filler-')) rmSync(join(folder, name));
}

const full = await result(await start('seq 1 2000000; echo last line; exit 7'));
const running = await start('echo early; sleep 0.6; echo late; exit 8');
const early = join(stateFolder, 'operations', running, 'output');
const isKept = () =>
  existsSync(early) && readdirSync(early).some((name) => statSync(join(early, name)).size > 0);
while (!isKept()) await sleep(10);
fill();
const overtaken = await result(running);
fill();
const refused = await start('true').then(
  () => 'started',
  (error: unknown) => String(error),
);
makeRoom();
const after = await result(await start('echo again'));
process.stdout.write(JSON.stringify({ full, overtaken, refused, after }));
