import type { AuditPosition, PlacedEntry } from '../ports/audit/audit.ts';
import type { AuditFolderPort } from '../ports/audit/audit-folder.ts';
import { readLines } from './read-lines.ts';
import { openLine } from './sealed-line.ts';

/** The entries that are in the log now, from a place on; broken lines are left out. */
export async function* readEntries(
  folder: AuditFolderPort,
  from?: AuditPosition,
): AsyncGenerator<PlacedEntry> {
  const { files } = await folder.glance();
  for (const file of files) {
    if (from !== undefined && file.name < from.file) continue;
    const offset = file.name === from?.file ? from.offset : 0;
    for await (const { bytes, isWhole, end } of readLines(folder, file, offset)) {
      const text = bytes.toString();
      const entry = isWhole ? openLine(text) : undefined;
      if (entry !== undefined) yield { entry, line: text, end: { file: file.name, offset: end } };
    }
  }
}
