import { clip, stringifyVisibly, quote, reveal } from '../../../model/text/untrusted-text.ts';
import { LOG_LEVELS, type LogEntry, type LogLevel } from '../../../ports/log.ts';

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

const LONGEST_MESSAGE = 1000;

/** ANSI colours: severe levels stand out. */
const COLOURS: Readonly<Record<LogLevel, number>> = { debug: 90, info: 36, warn: 33, error: 31 };
const FAINT = 90;

interface TerminalFormat {
  readonly colour: boolean;
  /** When it happened. */
  readonly time: Date;
}

/** One readable line in local time: `12:03:04.123 info  call answered command=find 12 ms`. The field `duration_ms` comes last, with its unit. */
export function formatForTerminal(entry: LogEntry, { colour, time }: TerminalFormat): string {
  const paint = (code: number, text: string) => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const parts = [
    paint(FAINT, localTime(time)),
    paint(COLOURS[entry.level], entry.level.padEnd(5)),
    reveal(clip(entry.message, LONGEST_MESSAGE)),
  ];
  let duration: string | undefined;
  for (const [key, value] of loggableFields(entry.fields)) {
    if (key === 'duration_ms' && typeof value === 'number') duration = `${Math.round(value)} ms`;
    else parts.push(`${paint(FAINT, `${reveal(key)}=`)}${fieldText(value)}`);
  }
  if (duration !== undefined) parts.push(paint(FAINT, duration));
  return parts.join(' ');
}

/** Whether an entry belongs in a log of level `least`. */
export function isSevereEnough(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

function fieldText(value: string | number | boolean): string {
  return typeof value === 'string' && !/^[\w./:@+,-]+$/.test(value) ? quote(value) : String(value);
}

function localTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const milliseconds = String(time.getMilliseconds()).padStart(3, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${milliseconds}`;
}
