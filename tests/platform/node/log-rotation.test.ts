import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLog } from '../../../src/platform/node/logs/log.ts';
import { info, LogStage } from './log-stage.ts';

const stage = new LogStage();

const DAY_MS = 86_400_000;

it('starts a file each day and removes only its own old ones', async () => {
  await mkdir(stage.folder, { recursive: true });
  const kept = [
    'deskterity-2026-01-24.log',
    'deskterity-2026-13-01.log',
    'deskterity-2026-02-30.log',
    'deskterity-2020-01-01.log.gz',
    'deskterity-2030-01-01.log',
    'other-2020-01-01.log',
    'deskterity-2020-1-1.log',
  ];
  const removed = ['deskterity-2026-01-23.log', 'deskterity-2020-01-01.log', 'deskterity-0000-01-01.log'];
  for (const name of [...kept, ...removed]) await writeFile(join(stage.folder, name), 'x');
  await mkdir(join(stage.folder, 'deskterity-2019-01-01.log'));
  await writeFile(join(stage.root, 'precious'), 'x');
  await symlink(join(stage.root, 'precious'), join(stage.folder, 'deskterity-2018-01-01.log'));
  const log = stage.open();
  log.write(info('last'));
  // No wait between: both days are in one burst.
  stage.moment = new Date(2026, 1, 1, 0, 0, 0, 1);
  log.write(info('first'));
  await log.flush();
  expect((await readdir(stage.folder)).toSorted()).toEqual(
    [
      // One day later, the oldest kept one has gone as well.
      ...kept.slice(1),
      'deskterity-2018-01-01.log',
      'deskterity-2019-01-01.log',
      'deskterity-2026-01-31.log',
      'deskterity-2026-02-01.log',
    ].toSorted(),
  );
  expect(await stage.messages()).toEqual(['first']);
  expect(await readFile(join(stage.root, 'precious'), 'utf8')).toBe('x');
});

it('keeps every entry in the file of its day, and exactly the requested days', async () => {
  // Steps of the clock in hours, back as well.
  const steps = fc.array(fc.tuple(fc.integer({ min: -30, max: 80 }), fc.boolean()), {
    minLength: 1,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (clock, keepDays) => {
      const own = await mkdtemp(join(stage.root, 'rotation-'));
      let time = new Date(2026, 2, 27, 12).getTime();
      const log = createLog({ folder: own, level: 'info', keepDays, now: () => new Date(time) });
      const written: { file: string; message: string; day: number }[] = [];
      for (const [index, [hours, isFlushed]] of clock.entries()) {
        time += hours * 3_600_000;
        const date = new Date(time);
        const day = Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
        log.write(info(`entry ${index}`));
        // Files this old went when this day began, unless the process was still at it.
        if (written.at(-1)?.day !== day)
          for (const old of written.splice(0)) if (day - old.day <= keepDays) written.push(old);
        written.push({ file: log.logFile(date), message: `entry ${index}`, day });
        if (isFlushed) await log.flush();
      }
      await log.flush();
      const wanted = new Map(
        written.map(({ file }) => [file, written.filter((entry) => entry.file === file)]),
      );
      const found = (await readdir(own)).map((name) => join(own, name)).toSorted();
      expect(found).toEqual([...wanted.keys()].toSorted());
      for (const [file, entries] of wanted) {
        const text = await readFile(file, 'utf8');
        const inFile = text
          .trimEnd()
          .split('\n')
          .map((line): unknown => JSON.parse(line).message);
        expect(inFile).toEqual(entries.map(({ message }) => message));
      }
    }),
    { seed: 11, numRuns: 60 },
  );
});

it('continues after its file or folder was removed', async () => {
  const log = stage.open();
  log.write(info('one'));
  await log.flush();
  await unlink(stage.today);
  log.write(info('two'));
  await log.flush();
  expect(await stage.messages()).toEqual(['two']);
  await rm(stage.folder, { recursive: true });
  log.write(info('three'));
  await log.flush();
  expect(await stage.messages()).toEqual(['three']);
});

it('reports once that a day is full, then is silent until the next', async () => {
  const log = stage.open({ dayLimitBytes: 2000 });
  for (let count = 0; count < 100; count += 1) log.write(info(`entry ${count}`));
  await log.flush();
  log.write(info('later'));
  await log.flush();
  // Another process, or this one started again.
  const second = stage.open({ dayLimitBytes: 2000 });
  second.write(info('second'));
  await second.flush();
  const all = await stage.messages();
  expect(all.length).toBeGreaterThan(10);
  expect(all.slice(0, -1)).toEqual(all.slice(0, -1).map((_, index) => `entry ${index}`));
  expect(all.at(-1)).toBe('the log is full for today');
  expect((await stat(stage.today)).size).toBeLessThan(2300);
  stage.moment = new Date(2026, 1, 1);
  log.write(info('new day'));
  await log.flush();
  expect(await stage.messages()).toEqual(['new day']);
});

it('buffers a limited amount while the disk is slow, and reports losses', async () => {
  const log = stage.open();
  for (let count = 0; count < 3000; count += 1) log.write(info('x'.repeat(1000)));
  await log.flush();
  expect((await stage.lines()).length).toBeLessThan(1100);
  log.write(info('after'));
  await log.flush();
  const [notice, after] = (await stage.lines()).slice(-2);
  expect(after).toMatchObject({ message: 'after' });
  expect(notice).toMatchObject({ level: 'warn', message: 'entries were lost' });
  expect(Number(notice?.['entries']) + (await stage.lines()).length - 2).toBe(3000);
});
