import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { QT_VARIABLES } from '../linux/wayland/stage.ts';
import { usePlace } from './harness.ts';

const place = usePlace();
const REQUIRED = { DESKTERITY_CONFIRM_DESTRUCTIVE: 'require' };
const started: { kill: () => void }[] = [];
afterAll(() => {
  for (const one of started) one.kill();
});

/** A dialog whose default button deletes, and what it has done so far. */
async function open(toolkit: 'gtk3' | 'qt5') {
  const log = join(place().folder, `${toolkit}.log`);
  const program = join(import.meta.dirname, 'support/delete-dialog.py');
  const child = spawn('/usr/bin/python3', [program, toolkit, log], {
    env: { ...place().desktop.environment, ...QT_VARIABLES },
    stdio: 'ignore',
  });
  started.push({ kill: () => child.kill() });
  const pid = child.pid ?? 0;
  await place().untilReadable(pid);
  const app = String(pid);
  const desk = (...words: string[]) => place().desk(words, REQUIRED);
  await place().desk(['focus', `app:${app} >> role:textbox`]);
  const done = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  return { app, desk, done, child };
}

describe.each(['gtk3', 'qt5'] as const)('a dialog of %s that deletes', (toolkit) => {
  it('asks about every key that would press its button, and about none that would not', async () => {
    const { app, desk, done, child } = await open(toolkit);
    const field = `app:${app} >> role:textbox`;
    const asked: string[][] = [
      ['press', 'Enter', '--app', app],
      ['press', 'alt+d', '--app', app],
      ['key-down', 'Enter', '--app', app],
      ['type', field, 'moved\n'],
      ['type', field, 'moved\t\t '],
      ['press', 'space', '--ref', `app:${app} >> role:button[name="Delete"]`],
    ];
    for (const words of asked)
      expect(`${words.join(' ')}: ${(await desk(...words)).toString()}`).toContain('CONFIRMATION_REQUIRED');
    expect((await desk('key-down', 'Alt', '--app', app)).exitCode).toBe(0);
    expect((await desk('key-down', 'd', '--app', app)).toString()).toContain('CONFIRMATION_REQUIRED');
    expect((await desk('key-up', 'Alt', '--app', app)).exitCode).toBe(0);
    for (const words of [
      ['type', field, 'moved to another town'],
      ['press', 'Tab', '--app', app],
      ['press', 'alt+k', '--app', app],
    ])
      expect([words, (await desk(...words)).exitCode]).toEqual([words, 0]);
    expect(done()).toBe('kept\n');
    // The same keys delete where nobody has to be asked: nothing else held them back.
    await place().desk(['focus', field]);
    await place().desk(['press', 'Enter', '--ref', field]);
    await expect.poll(done).toBe('kept\ndeleted\n');
    child.kill();
  });
});
