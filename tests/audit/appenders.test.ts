import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { entriesOf, filesIn, intent, newFolder, openLog } from './support.ts';

type Appender = ChildProcessByStdio<null, Readable, null>;

function appender(
  folder: string,
  name: string,
  count: number,
): { child: Appender; written: Promise<number[]> } {
  const program = ['scripts/run-ts.mjs', 'tests/audit/appending-program.ts', folder, name, String(count)];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const written = once(child, 'close').then(() =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => Number(line)),
  );
  return { child, written };
}

it('several processes that append at once make one chain, also if some are killed in the middle', async () => {
  const folder = newFolder();
  const [one, two, three] = ['one', 'two', 'three'].map((name) =>
    appender(folder, name, name === 'one' ? 60 : 5000),
  );
  if (one === undefined || two === undefined || three === undefined) throw new Error('no processes');
  const kill = async ({ child }: typeof two): Promise<void> => {
    for await (const _ of child.stdout) {
      const { entries } = await openLog(folder).check();
      if (entries < 40) continue;
      child.kill('SIGKILL');
      return;
    }
  };
  await Promise.all([kill(two), kill(three)]);
  const written = await Promise.all([one, two, three].map((each) => each.written));
  const told = written.flat();
  expect(written[0]).toHaveLength(60);
  expect(new Set(told).size).toBe(told.length);
  // The next one goes on, even if a killed process had the lock.
  await openLog(folder).record(intent('after'));
  const check = await openLog(folder).check();
  expect(check.problems).toEqual([]);
  // Everything that was on the disk is there, once.
  const found = await entriesOf(folder);
  const numbers = new Set(found.map(({ entry }) => entry.sequence));
  expect(numbers.size).toBe(found.length);
  expect(told.filter((sequence) => !numbers.has(sequence))).toEqual([]);
}, 20_000);

it('a process that ended while it wrote leaves a line that is told, and a lock that is taken over', async () => {
  const folder = newFolder();
  await openLog(folder).record(intent('before'));
  appendFileSync(join(folder, filesIn(folder)[0] ?? ''), '{"sequence":2,"previous":"0123');
  const { child, written } = appender(folder, 'dead', 0);
  await written;
  symlinkSync(`${String(child.pid)} 0123456789abcdef 1`, join(folder, 'lock'));
  const all = await Promise.all(
    Array.from({ length: 5 }, (_, at) => openLog(folder).record(intent(`n ${at}`))),
  );
  expect(all.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6, 7]);
  expect(await openLog(folder).check()).toMatchObject({
    problems: [],
    notes: [expect.stringContaining('interrupted')],
  });
  rmSync(folder, { recursive: true });
});
