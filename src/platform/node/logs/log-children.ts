import type { LogEntry, LogPort } from '../../../ports/log.ts';

export type LogFields = NonNullable<LogEntry['fields']>;

/** A log that can hand out logs for parts of the program. */
export interface Log extends LogPort {
  /** The same log with fields that every entry carries, such as session and command; an entry's own fields win. */
  with(fields: LogFields): Log;
}

/** Adds {@link Log.with} to a bare log. */
export function withChildren(log: LogPort): Log {
  return {
    write: (entry) => log.write(entry),
    flush: () => log.flush(),
    with: (fixed) =>
      withChildren({
        write: (entry) => log.write({ ...entry, fields: { ...fixed, ...entry.fields } }),
        flush: () => log.flush(),
      }),
  };
}
