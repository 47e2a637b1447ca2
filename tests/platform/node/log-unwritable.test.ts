import { chmod, chown, mkdir, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { info, LogStage } from './log-stage.ts';

const stage = new LogStage();

const RECOVERED = [{ message: 'entries were lost', entries: 4 }, { message: 'four' }];

const minute = () => {
  stage.moment = new Date(stage.moment.getTime() + 60_000);
};

/** What is in the log after it was off, tried in vain, repaired, and tried again. */
async function afterRepair(repair: () => Promise<unknown>): Promise<unknown> {
  const log = stage.open();
  for (const message of ['one', 'two']) {
    log.write(info(message));
    await log.flush();
  }
  minute();
  log.write(info('three'));
  await log.flush();
  await repair();
  log.write(info('still off'));
  await log.flush();
  minute();
  log.write(info('four'));
  await log.flush();
  return stage.lines();
}

it('below a file', async () => {
  await writeFile(stage.cache, '');
  expect(await afterRepair(() => unlink(stage.cache))).toMatchObject(RECOVERED);
});

it('on a full disk', async () => {
  await mkdir(stage.folder, { recursive: true });
  await symlink('/dev/full', stage.today);
  expect(await afterRepair(() => unlink(stage.today))).toMatchObject(RECOVERED);
});

it('a folder instead of the file', async () => {
  await mkdir(stage.today, { recursive: true });
  expect(await afterRepair(() => rm(stage.today, { recursive: true }))).toMatchObject(RECOVERED);
});

it.skipIf(process.getuid?.() === 0)('a read-only folder (root may write everywhere)', async () => {
  await mkdir(stage.cache);
  await chmod(stage.cache, 0o500);
  expect(await afterRepair(() => chmod(stage.cache, 0o700))).toMatchObject(RECOVERED);
});

it.runIf(process.getuid?.() === 0)('a folder of another user (only root can create one)', async () => {
  await mkdir(stage.folder, { recursive: true });
  await chown(stage.folder, 12_345, 12_345);
  expect(await afterRepair(() => chown(stage.folder, 0, 0))).toMatchObject(RECOVERED);
});

it('also retries after the clock was set back', async () => {
  await writeFile(stage.cache, '');
  const log = stage.open();
  log.write(info('lost'));
  await log.flush();
  await unlink(stage.cache);
  stage.moment = new Date(stage.moment.getTime() - 3_600_000);
  log.write(info('found'));
  await log.flush();
  expect(await stage.messages()).toEqual(['entries were lost', 'found']);
});

it('writes to /dev/null', async () => {
  await mkdir(stage.folder, { recursive: true });
  await symlink('/dev/null', stage.today);
  const log = stage.open();
  log.write(info('nothing'));
  await log.flush();
  expect((await stat(stage.today)).isCharacterDevice()).toBe(true);
});
