import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { shellsFolder } from '../../operations/holder/shells-folder.ts';
import type { TerminalRecords } from './terminal-records.ts';

/** Removes what the shells of killed holders had to read; a holder that ends by itself removes its own. Never rejects. */
export async function removeLostShells(records: TerminalRecords): Promise<void> {
  const all = await records.all().catch(() => []);
  const lost = all.filter((record) => record.ended_at === undefined && !records.isLiving(record));
  for (const { holder, terminal_id: id } of lost)
    await rm(join(shellsFolder(holder.socket), id), { recursive: true, force: true }).catch(() => undefined);
}
