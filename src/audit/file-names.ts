/** A file of the log is named by its first entry, so that names sort as entries do and no file is ever renamed. */
export function auditFileName(firstSequence: number): string {
  return `audit-${String(firstSequence).padStart(12, '0')}.jsonl`;
}

/** Whether it is a file of the log. */
export function isAuditFile(name: string): boolean {
  return /^audit-\d{12}\.jsonl$/.test(name);
}
