import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createConfigurationLoader } from '../../../src/platform/node/configuration/configuration-file.ts';
import { ConfigurationStage, failureOf } from './configuration-stage.ts';

const stage = new ConfigurationStage();

const old = new Date('2020-01-01T00:00:00Z');

it('notices every change: content, absence, replacement, even without new timestamps', async () => {
  const load = createConfigurationLoader();
  const keepDays = async () =>
    (await load({ environment: {}, configFolder: stage.folder })).values.log.keep_days;
  expect(await keepDays()).toBe(7);
  for (let days = 1; days < 10; days += 1) {
    await writeFile(stage.file, `log.keep_days = ${days}`);
    expect(await keepDays()).toBe(days);
    // Same size and times of change: only the moment of the last status change tells.
    for (const content of ['8', '9']) {
      await writeFile(stage.file, `log.keep_days = ${content}`);
      await utimes(stage.file, old, old);
      expect(await keepDays()).toBe(Number(content));
    }
  }
  const other = join(stage.folder, 'other');
  await writeFile(other, 'log.keep_days = 5');
  await utimes(other, old, old);
  await rename(other, stage.file);
  expect(await keepDays()).toBe(5);
  await rm(stage.file);
  expect(await keepDays()).toBe(7);
});

it('reads an unchanged file once', async () => {
  // Modules of its own: other files may have loaded the real ones already.
  vi.resetModules();
  vi.doMock('../../../src/platform/node/documents/toml-library.ts', { spy: true });
  const { parseToml } = await import('../../../src/platform/node/documents/toml-library.ts');
  const fresh = await import('../../../src/platform/node/configuration/configuration-file.ts');
  const load = fresh.createConfigurationLoader();
  await writeFile(stage.file, 'log.keep_days = 5');
  await utimes(stage.file, old, old);
  for (let count = 0; count < 5; count += 1) {
    const { values } = await load({ environment: {}, configFolder: stage.folder });
    expect(values.log.keep_days).toBe(5);
  }
  expect(parseToml).toHaveBeenCalledTimes(1);
  vi.doUnmock('../../../src/platform/node/documents/toml-library.ts');
});

it('separates callers with other folders', async () => {
  const load = createConfigurationLoader();
  for (let round = 0; round < 2; round += 1) {
    for (let index = 1; index <= 20; index += 1) {
      const configFolder = join(stage.folder, String(index));
      await mkdir(configFolder, { recursive: true });
      const path = join(configFolder, 'config.toml');
      if (round === 0) await writeFile(path, `log.keep_days = ${index}`);
      await utimes(path, old, old);
      const { values } = await load({ environment: {}, configFolder });
      expect(values.log.keep_days).toBe(index);
    }
  }
});

it('does not remember a failure', async () => {
  const load = createConfigurationLoader();
  await writeFile(stage.file, 'log.level = 1');
  expect(await failureOf(load({ environment: {}, configFolder: stage.folder }))).toMatchObject({
    code: 'CONFIG_INVALID',
  });
  await writeFile(stage.file, 'log.level = "warn"');
  expect((await load({ environment: {}, configFolder: stage.folder })).values.log.level).toBe('warn');
});
