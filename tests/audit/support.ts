import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLog } from '../../src/audit/audit-log.ts';
import { isAuditFile } from '../../src/audit/file-names.ts';
import type { AuditKeeping } from '../../src/audit/rotation.ts';
import type { AuditRecord } from '../../src/model/audit/entry.ts';
import type { AuditPosition, PlacedEntry } from '../../src/ports/audit/audit.ts';
import { createAuditFolder } from '../../src/platform/node/audit-folder.ts';

export const MUCH: AuditKeeping = { fileBytes: 1e9, keepDays: 90, keepBytes: 1e9 };

export function newFolder(): string {
  return join(mkdtempSync(join(tmpdir(), 'audit-')), 'audit');
}

export function openLog(
  folder: string,
  { keeping = MUCH, now = () => new Date() }: { keeping?: AuditKeeping; now?: () => Date } = {},
): AuditLog {
  return new AuditLog({
    folder: createAuditFolder(folder, isAuditFile),
    now,
    keeping: async () => keeping,
  });
}

export function intent(command: string): AuditRecord {
  return { kind: 'intent', facts: { command, session: 'default' } };
}

/** Names of the log's files, oldest first. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder).filter(isAuditFile).toSorted();
}

export function textOf(folder: string, name = filesIn(folder)[0] ?? ''): string {
  return readFileSync(join(folder, name), 'utf8');
}

export async function entriesOf(folder: string, from?: AuditPosition): Promise<PlacedEntry[]> {
  const found: PlacedEntry[] = [];
  for await (const placed of openLog(folder).entries(from)) found.push(placed);
  return found;
}
