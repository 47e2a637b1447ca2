import type { LogEntry } from '../../../ports/log.ts';
import { clip, stringifyVisibly } from '../../../model/text/untrusted-text.ts';

/** Characters of a message or field; anything longer is content, not a fact. */
const LONGEST_TEXT = 1000;
const MOST_FIELDS = 32;

/** Reserved keys; a field with such a name gets an underscore. */
const OWN_KEYS: ReadonlySet<string> = new Set(['time', 'level', 'message', 'pid']);

/**
 * One entry as a line of JSON with its newline; control characters are escaped. Only strings, numbers and booleans are accepted as fields,
 * so that a node or an input object can never be logged by mistake.
 */
export function toLogLine(entry: LogEntry, time: Date, pid: number): string {
  const line: Record<string, unknown> = {
    time: time.toISOString(),
    level: entry.level,
    message: clip(entry.message, LONGEST_TEXT),
    pid,
  };
  for (const [name, value] of loggableFields(entry.fields)) {
    const key = clip(name, 64);
    line[OWN_KEYS.has(key) || key === '__proto__' ? `${key}_` : key] = value;
  }
  return `${stringifyVisibly(line)}\n`;
}

/** The fields that may be logged, clipped. */
export function loggableFields(fields: LogEntry['fields']): [string, string | number | boolean][] {
  const loggable: [string, string | number | boolean][] = [];
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (loggable.length === MOST_FIELDS) break;
    if (typeof value === 'string') loggable.push([name, clip(value, LONGEST_TEXT)]);
    else if (typeof value === 'number' || typeof value === 'boolean') loggable.push([name, value]);
  }
  return loggable;
}
