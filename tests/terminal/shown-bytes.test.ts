import { expect, test } from 'vitest';
import { OutputStore } from '../../src/operations/output/output-store.ts';
import { runOutcome } from '../../src/terminal/sessions/held/shown-bytes.ts';
import { readShown } from '../../src/terminal/sessions/held/shown-bytes.ts';
import type { RunAnswer } from '../../src/wire/terminal-protocol.ts';
import { inFolder } from '../operations/support/streams.ts';
import { join } from 'node:path';

async function store(folder: string, budgetBytes: number, chunks: readonly string[]): Promise<string> {
  const place = join(folder, 'output');
  const kept = new OutputStore({ folder: place, budgetBytes });
  for (const chunk of chunks) await kept.write('merged', Buffer.from(chunk));
  await kept.close();
  return place;
}

const LINES = Array.from({ length: 400 }, (_, index) => `line ${index}\r\n`);

test('any range of the output is read as it was', async () => {
  await inFolder(async (folder) => {
    const place = await store(folder, 32 * 100, LINES.slice(0, 200));
    const all = LINES.slice(0, 200).join('');
    for (const [from, to] of [
      [0, all.length],
      [5, 6],
      [190, 211],
      [1000, 1001],
      [7, 7],
    ] as const)
      expect(await readShown(place, from, to)).toEqual({ from, bytes: Buffer.from(all.slice(from, to)) });
    expect((await readShown(place, 0, 1e9)).bytes).toHaveLength(all.length);
  });
});

test('a range with a gap is read from after the gap', async () => {
  await inFolder(async (folder) => {
    const place = await store(folder, 1600, LINES);
    const all = LINES.join('');
    const { from, bytes } = await readShown(place, 0, all.length);
    expect(from).toBeGreaterThan(400);
    expect(bytes.toString()).toBe(all.slice(from));
    expect(bytes.length).toBeGreaterThan(800);
  });
});

function answer(changes: Partial<RunAnswer>): RunAnswer {
  return {
    kind: 'completed',
    exitCode: 0,
    tail: undefined,
    leftOut: [],
    durationMs: 1,
    range: undefined,
    facts: {
      id: 'term-aaaaaa',
      name: { projectPath: '/p', tag: 't' },
      pid: 1,
      ttyPath: '/dev/pts/1',
      shell: '/bin/sh',
      startedAt: new Date(0),
      isConfined: false,
      size: { columns: 80, rows: 24 },
      title: '',
      cwd: undefined,
      state: 'idle',
      restsOn: [],
      prompt: undefined,
      running: undefined,
      exitCode: 0,
      attached: 0,
    },
    ...changes,
  };
}

test('a run gets missing whole lines from disk and a note about omitted ones', async () => {
  await inFolder(async (folder) => {
    const place = await store(folder, 1e6, LINES);
    const total = LINES.join('').length;
    const from = LINES.slice(0, 10).join('').length;
    const last = await runOutcome(answer({ range: { from, to: total } }), place, 2);
    expect(last.output).toBe('line 398\nline 399');
    expect(last.leftOut).toEqual([expect.stringContaining(`cursor ${from}.`)]);
    const all = await runOutcome(answer({ range: { from } }), place, 1000);
    expect(all.output.split('\n')).toHaveLength(390);
    expect(all.leftOut).toEqual([]);
    expect((await runOutcome(answer({ range: { from, to: total } }), place, 0)).output).toBe('');
  });
});

test('a run gets the holder’s output and notes', async () => {
  const tail = { text: 'b\nc', omittedLines: 1 };
  const { output, leftOut } = await runOutcome(
    answer({ tail, range: { from: 7, to: 9 }, leftOut: ['The disk is full.'] }),
    '/nowhere',
    2,
  );
  expect(output).toBe('b\nc');
  expect(leftOut).toEqual([
    '1 earlier line is left out; the whole output begins at cursor 7.',
    'The disk is full.',
  ]);
});

test('missing output of a run is reported, and its first line is complete', async () => {
  await inFolder(async (folder) => {
    const place = await store(folder, 1600, LINES);
    const { output, leftOut } = await runOutcome(
      answer({ range: { from: 0, to: LINES.join('').length } }),
      place,
      1000,
    );
    expect(output.split('\n').every((line) => /^line \d+$/.test(line))).toBe(true);
    expect(output.endsWith('line 399')).toBe(true);
    expect(leftOut).toHaveLength(1);
  });
});
