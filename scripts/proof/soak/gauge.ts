import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** A daemon on a busy machine may take long to collect. */
const LIMIT_MS = 120_000;
const BETWEEN_MS = 150;
const READINGS = 4;
const Reading = z.object({
  heap: z.number(),
  buffers: z.number(),
  rss: z.number(),
  resources: z.number(),
  emitters: z.number(),
  signals: z.number(),
  closures: z.number(),
});

/**
 * Loaded by the daemon before its own code, and idle until it gets SIGUSR2: then it collects garbage and writes down what is left. Without it,
 * memory says little, since garbage is collected at leisure, and leaked listeners cannot be seen at all.
 *
 * What a collection has freed leaves the process over the next moments, so that resident memory is the least of some readings: directly after a
 * collection it was anything between 200 and 280 MB where it was 165 MB a moment later.
 */
const PROGRAM = String.raw`
{
  const v8 = require('node:v8'), fs = require('node:fs'), path = require('node:path');
  const { EventEmitter } = require('node:events');
  const { setTimeout: sleep } = require('node:timers/promises');
  v8.setFlagsFromString('--expose-gc');
  const collect = require('node:vm').runInNewContext('gc');
  // V8 takes what the build compiled only with the flags it was compiled with.
  v8.setFlagsFromString('--no-expose-gc');
  const count = (constructor) => v8.queryObjects(constructor, { format: 'count' });
  const read = async () => {
    for (let pass = 0; pass < 3; pass++) {
      collect();
      await sleep(${BETWEEN_MS});
    }
    const { heapUsed: heap, arrayBuffers: buffers } = process.memoryUsage();
    let rss = Infinity;
    for (let reading = 0; reading < ${READINGS}; reading++) {
      rss = Math.min(rss, process.memoryUsage.rss());
      await sleep(${BETWEEN_MS});
    }
    const reading = {
      heap, buffers, rss, resources: process.getActiveResourcesInfo().length,
      emitters: count(EventEmitter), signals: count(AbortSignal), closures: count(Function),
    };
    const file = path.join(__dirname, 'gauge.json');
    fs.writeFileSync(file + '.new', JSON.stringify(reading));
    fs.renameSync(file + '.new', file);
  };
  process.on('SIGUSR2', () => void read());
}
`;

/** Puts the gauge into a copy of the built program: the daemon is started without the caller's NODE_OPTIONS. `entry` is its command line. */
export function installGauge(entry: string): void {
  const daemon = join(dirname(entry), 'daemon.cjs');
  writeFileSync(join(dirname(entry), 'gauge.cjs'), PROGRAM);
  const [first = '', ...rest] = readFileSync(daemon, 'utf8').split('\n');
  const load = "require('./gauge.cjs');";
  const lines = first.startsWith('#!') ? [first, load, ...rest] : [load, first, ...rest];
  writeFileSync(daemon, lines.join('\n'));
}

/** What the daemon holds after garbage collection. */
export async function readGauge(folder: string, pid: number): Promise<z.infer<typeof Reading>> {
  const file = join(folder, 'gauge.json');
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return Reading.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(20);
  }
}
