import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Explanation } from '../../src/model/patterns/explanation.ts';
import { usePlace } from './harness.ts';

const place = usePlace();
const Status = z.object({ application: Explanation.extend({ menu_bar: z.array(z.string()).optional() }) });
const Snapshot = z.object({ explanation: Explanation });
const END_MS = 15_000;

type Suggestion = Explanation['suggestions'][number];

async function statusOf(app: string) {
  return (await place().desk(['status', '--app', app])).ok(Status).application;
}

/** The status once it names a pattern. */
async function untilPattern(app: string, pattern: string) {
  const end = performance.now() + END_MS;
  for (;;) {
    const status = await statusOf(app);
    if (status.patterns.some((found) => found.pattern === pattern)) return status;
    if (performance.now() > end) throw new Error(`${pattern} was not found: ${JSON.stringify(status)}`);
    await sleep(100);
  }
}

/** Runs a suggestion as it is given, with a value for its placeholder. */
async function run(suggestion: Suggestion | undefined, value?: string): Promise<void> {
  if (suggestion === undefined) throw new Error('there is no such suggestion');
  const { ref = '', value: placeholder } = suggestion.input;
  expect(placeholder === undefined).toBe(value === undefined);
  const reply = await place().desk([suggestion.command, ref, ...(value === undefined ? [] : [value])]);
  expect(reply.exitCode).toBe(0);
}

const saying = (status: Explanation, part: RegExp) =>
  status.suggestions.find(({ action }) => part.test(action));

function note(name: string): string {
  const folder = join(place().folder, 'notes');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, 'one\n');
  return path;
}

async function untilFile(path: string, text: string): Promise<void> {
  const end = performance.now() + END_MS;
  while (!existsSync(path) || !readFileSync(path, 'utf8').includes(text)) {
    if (performance.now() > end) throw new Error(`${path} does not have ${text}`);
    await sleep(50);
  }
}

describe('what is suggested works', () => {
  it('in the question of an editor, and in its dialog for saving', async () => {
    const path = note('question.txt');
    await place().desk(['launch', 'mousepad', '--wait', '--', path]);
    const editor = await untilPattern('mousepad', 'text_editor');
    expect([editor.state, editor.menu_bar?.[0]]).toEqual(['idle', 'File']);
    await run(saying(editor, /Replace the text/), 'two\n');
    await place().desk(['press', 'ctrl+shift+s', '--app', 'mousepad']);
    const saving = await untilPattern('mousepad', 'file_save_dialog');
    expect(saving.state).toBe('modal_dialog');
    const copy = join(place().folder, 'notes', 'copy.txt');
    await run(saying(saving, /file name/), copy);
    await run(saying(saving, /to save/));
    await untilFile(copy, 'two');
    await run(saying(await untilPattern('mousepad', 'text_editor'), /Replace the text/), 'three\n');
    await place().desk(['press', 'ctrl+w', '--app', 'mousepad']);
    const asking = await untilPattern('mousepad', 'confirmation_dialog');
    await run(saying(asking, /"Save"/));
    await untilFile(copy, 'three');
  });

  it('in a dialog of GTK 3 for opening a file, which takes no name', async () => {
    const first = note('first.txt');
    note('second.txt');
    await place().desk(['launch', 'mousepad', '--wait', '--', first]);
    await place().desk(['press', 'ctrl+o', '--app', 'mousepad']);
    const opening = await untilPattern('mousepad', 'file_open_dialog');
    await run(saying(opening, /Choose a file/), 'second.txt');
    await run(saying(opening, /to open/));
    const reply = await place().desk(['wait', '--window', 'second.txt', '--app', 'mousepad']);
    expect(reply.exitCode).toBe(0);
  });

  it('in a dialog of Qt for opening a file', async () => {
    const path = note('opened.txt');
    await place().desk(['launch', 'featherpad', '--wait']);
    await place().desk(['press', 'ctrl+o', '--app', 'featherpad']);
    const opening = await untilPattern('featherpad', 'file_open_dialog');
    await run(saying(opening, /file name/), path);
    await run(saying(opening, /to open/));
    const reply = await place().desk(['wait', '--window', 'opened.txt', '--app', 'featherpad']);
    expect(reply.exitCode).toBe(0);
  });
});

it('an explained snapshot keeps to its budget', async () => {
  await place().desk(['launch', 'kcalc', '--wait']);
  const reply = await place().desk(['snapshot', '--app', 'kcalc', '--explain']);
  expect(reply.ok(Snapshot).explanation.state).toBe('idle');
});
