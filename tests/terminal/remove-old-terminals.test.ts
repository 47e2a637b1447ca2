import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldTerminals } from '../../src/terminal/sessions/terminal-records.ts';
import { outputFolder, replaceRecord } from '../../src/operations/record-folders.ts';
import { makeTerminalFolder, terminalRecordFile } from '../../src/terminal/sessions/terminal-folder.ts';
import { TerminalRecords } from '../../src/terminal/sessions/terminal-records.ts';
import { inFolder } from '../operations/support/streams.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const KEEP_ALL = { maxAgeMs: 1e12, maxBytes: 1e12, maxCount: 1000 };
const IDENTITY = {
  self: () => ({ pid: 1, startTime: '', bootId: '' }),
  isRunning: ({ pid }: { pid: number }) => pid === 1,
};

interface Given {
  readonly hoursAgo: number;
  readonly bytes?: number;
  readonly hasEnded?: boolean;
  /** Its holder is running. */
  readonly isHeld?: boolean;
}

async function make(
  state: string,
  { hoursAgo, bytes = 0, hasEnded = true, isHeld = true }: Given,
): Promise<string> {
  const { id, folder } = makeTerminalFolder(state);
  const time = new Date(NOW - hoursAgo * HOUR_MS).toISOString();
  replaceRecord(terminalRecordFile(folder), {
    format: 1,
    terminal_id: id,
    project_path: '/p',
    tag: 't',
    shell: '/bin/sh',
    sandbox: 'none',
    tty: '/dev/pts/1',
    size: { columns: 80, rows: 24 },
    started_at: time,
    ...(hasEnded ? { ended_at: time } : {}),
    budget_bytes: 1,
    process: { pid: 1, start_time: '1' },
    holder: { socket: '', pid: isHeld ? 1 : 2, start_time: '', boot_id: '' },
  });
  await mkdir(outputFolder(folder));
  await writeFile(join(outputFolder(folder), 'merged-0-0'), Buffer.alloc(bytes));
  return id;
}

/** The terminals that remain. */
async function left(given: readonly Given[], retention: Partial<typeof KEEP_ALL>): Promise<number[]> {
  return inFolder(async (state) => {
    const ids: string[] = [];
    for (const each of given) ids.push(await make(state, each));
    await removeOldTerminals(new TerminalRecords(state, IDENTITY), { ...KEEP_ALL, ...retention }, NOW);
    const names = await readdir(join(state, 'terminals'));
    expect(names.filter((name) => name.startsWith('gone'))).toEqual([]);
    return ids.flatMap((id, index) => (names.includes(id) ? [index] : []));
  });
}

it('removes by age, never running terminals, and counts lost ones as ended', async () => {
  const living = { hoursAgo: 50, hasEnded: false };
  const given = [{ hoursAgo: 1 }, { hoursAgo: 50 }, living, { ...living, isHeld: false }];
  expect(await left(given, { maxAgeMs: 40 * HOUR_MS })).toEqual([0, 2]);
});

it('keeps the newest within the limits of bytes and count', async () => {
  const given = [1, 2, 3, 4].map((hoursAgo) => ({ hoursAgo, bytes: 1000 }));
  expect(await left(given, { maxBytes: 2500 })).toEqual([0, 1]);
  expect(await left(given, { maxCount: 3 })).toEqual([0, 1, 2]);
  expect(await left([...given, { hoursAgo: 9, bytes: 9000, hasEnded: false }], { maxBytes: 4000 })).toEqual([
    0, 1, 2, 3, 4,
  ]);
});

it('removes abandoned folders but not those being created', async () => {
  await inFolder(async (state) => {
    const [old, young] = [makeTerminalFolder(state), makeTerminalFolder(state)];
    await mkdir(join(state, 'terminals', 'gone-term-aaaaaa'));
    await utimes(old.folder, new Date(NOW - 2 * HOUR_MS), new Date(NOW - 2 * HOUR_MS));
    await utimes(young.folder, new Date(NOW), new Date(NOW));
    expect(await removeOldTerminals(new TerminalRecords(state, IDENTITY), KEEP_ALL, NOW)).toEqual([old.id]);
    expect(await readdir(join(state, 'terminals'))).toEqual([young.id]);
  });
});

it('an invalid record, or that of another terminal, is ignored', async () => {
  await inFolder(async (state) => {
    const records = new TerminalRecords(state, IDENTITY);
    const id = await make(state, { hoursAgo: 1 });
    const other = makeTerminalFolder(state);
    await writeFile(join(other.folder, 'terminal.json'), JSON.stringify(await records.read(id)));
    const broken = makeTerminalFolder(state);
    await writeFile(join(broken.folder, 'terminal.json'), '{"format":1');
    expect((await records.all()).map(({ terminal_id }) => terminal_id)).toEqual([id]);
    expect(await records.read('../../etc')).toBeUndefined();
  });
});
