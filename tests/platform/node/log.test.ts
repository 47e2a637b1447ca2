import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../../src/ports/log.ts';
import { info, LogStage, parseLines } from './log-stage.ts';

const stage = new LogStage();

it('writes one line of JSON per entry, readable only by the owner', async () => {
  const log = stage.open({ level: 'info' });
  log.write(info('call answered', { command: 'find', duration_ms: 12, cached: true, missing: undefined }));
  log.write({ level: 'debug', message: 'not kept' });
  log.write({ level: 'error', message: 'kept' });
  await log.flush();
  expect(log.logFile(stage.moment)).toBe(join(stage.root, 'cache/logs/deskterity-2026-01-31.log'));
  expect(await stage.raw()).toBe(
    `{"time":"${stage.moment.toISOString()}","level":"info","message":"call answered","pid":${process.pid},"command":"find","duration_ms":12,"cached":true}\n` +
      `{"time":"${stage.moment.toISOString()}","level":"error","message":"kept","pid":${process.pid}}\n`,
  );
  expect((await stat(stage.today)).mode & 0o777).toBe(0o600);
  expect((await stat(stage.folder)).mode & 0o777).toBe(0o700);
});

it('restricts a folder that others may enter', async () => {
  await mkdir(stage.folder, { recursive: true });
  await chmod(stage.folder, 0o777);
  const log = stage.open();
  log.write(info('a'));
  await log.flush();
  expect((await stat(stage.folder)).mode & 0o777).toBe(0o700);
});

it('keeps hostile text on its line, bounded and visible', async () => {
  const log = stage.open();
  log.write(info('a\n\u001B[31m\u202Eb', { 'key\n': 'x'.repeat(100_000), level: 'fake', __proto__: 'p' }));
  log.write(
    info('many', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, index]))),
  );
  await log.flush();
  const text = await stage.raw();
  expect(text.length).toBeLessThan(4000);
  expect(text.split('\n')).toHaveLength(3);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
  const [first] = await stage.lines();
  expect(first).toMatchObject({ level: 'info', message: 'a\n\u001B[31m\u202Eb', level_: 'fake' });
});

it('accepts only strings, numbers and booleans, and never throws', async () => {
  const log = stage.open();
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('trap');
      },
    },
  );
  const hostile: unknown[] = [
    {
      level: 'info',
      message: 'tree',
      fields: { tree: { name: 'secret' }, list: ['secret'], make: () => 'secret' },
    },
    { level: 'info', message: 'trap', fields: trap },
    { level: 'info', message: null },
    { level: 'unknown', message: 'level' },
  ];
  // What the types forbid: a mistake elsewhere must not put a window's content in here.
  for (const entry of hostile) log.write(entry as LogEntry);
  log.write(info('after'));
  await log.flush();
  expect(await stage.raw()).not.toContain('secret');
  expect(await stage.lines()).toMatchObject([
    { message: 'tree' },
    { message: 'entries were lost', entries: 2 },
    { message: 'after' },
  ]);
});

it('shares a file with other processes, line by line', async () => {
  const script = join(stage.root, 'writer.mjs');
  await build({
    stdin: {
      contents: `
        import { createLog } from './logs/log.ts';
        const [folder, name] = process.argv.slice(2);
        const log = createLog({ folder, level: 'info', keepDays: 7 });
        const filler = 'x'.repeat(500);
        for (let count = 0; count < 400; count += 1) {
          log.write({ level: 'info', message: 'entry', fields: { name, filler, count } });
          if (count % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        await log.flush();`,
      resolveDir: join(import.meta.dirname, '../../../src/platform/node'),
      loader: 'ts',
    },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  stage.moment = new Date();
  const names = ['a', 'b', 'c'];
  const codes = await Promise.all(
    names.map(async (name) => {
      const [code]: unknown[] = await once(spawn(process.execPath, [script, stage.folder, name]), 'exit');
      return code;
    }),
  );
  expect(codes).toEqual([0, 0, 0]);
  const files = await readdir(stage.folder);
  // Two where midnight passed.
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(stage.folder, file), 'utf8')));
  const all = parseLines(texts.join(''));
  for (const name of names) {
    const counts = all.filter((line) => line['name'] === name).map(({ count }) => count);
    expect(counts).toEqual(Array.from({ length: 400 }, (_, count) => count));
  }
  expect(all).toHaveLength(1200);
});

it('does not append to a line that a full disk cut off', async () => {
  const first = stage.open();
  first.write(info('cut'));
  await first.flush();
  await truncate(stage.today, (await stat(stage.today)).size - 5);
  const second = stage.open();
  second.write(info('next'));
  second.write(info('last'));
  await second.flush();
  const [cut, ...others] = (await stage.raw()).trimEnd().split('\n');
  expect(() => JSON.parse(cut ?? '')).toThrow(SyntaxError);
  expect(others.map((line): unknown => JSON.parse(line).message)).toEqual(['next', 'last']);
});
