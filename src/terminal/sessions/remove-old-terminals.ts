import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Retention } from '../../operations/remove-old-operations.ts';
import { shownFolder, terminalFolder, terminalsFolder } from './terminal-folder.ts';
import type { TerminalRecords } from './terminal-records.ts';

/** Folders are renamed before removal, so that nobody finds half of a terminal. */
const MARKED_FOR_REMOVAL = /^gone-term-[a-z2-7]{6}$/;
/** A younger folder without a record may belong to a terminal that is just starting. */
const UNRECORDED_AGE_MS = 3_600_000;

/** Removes the files of ended terminals that are too old or too many. Several processes may do this at once. @returns the ids */
export async function removeOldTerminals(
  records: TerminalRecords,
  retention: Retention,
  now: number = Date.now(),
): Promise<readonly string[]> {
  const { stateFolder } = records;
  const all = await records.all();
  const removed: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const record of all) {
    if (records.isLiving(record)) continue;
    bytes += await bytesIn(shownFolder(terminalFolder(stateFolder, record.terminal_id)));
    count += 1;
    const age = now - Date.parse(record.ended_at ?? record.started_at);
    if (age > retention.maxAgeMs || bytes > retention.maxBytes || count > retention.maxCount)
      removed.push(record.terminal_id);
  }
  const recorded = new Set(all.map(({ terminal_id }) => terminal_id));
  for (const id of await records.ids()) {
    if (recorded.has(id)) continue;
    const facts = await stat(terminalFolder(stateFolder, id)).catch(() => undefined);
    if (facts !== undefined && now - facts.mtimeMs > UNRECORDED_AGE_MS) removed.push(id);
  }
  const folder = terminalsFolder(stateFolder);
  // Another process may have renamed it already.
  for (const id of removed)
    await rename(terminalFolder(stateFolder, id), join(folder, `gone-${id}`)).catch(() => undefined);
  for (const name of await readdir(folder).catch(() => []))
    if (MARKED_FOR_REMOVAL.test(name))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  return removed;
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const facts = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return facts.reduce((sum, each) => sum + (each?.size ?? 0), 0);
}
