import { LOG_LEVELS } from '../../../ports/log.ts';
import type { LogEntry, LogLevel } from '../../../ports/log.ts';
import { clip, quote, reveal } from '../../../model/text/untrusted-text.ts';
import { loggableFields } from './log-line.ts';

const LONGEST_MESSAGE = 1000;

/** ANSI colours: severe levels stand out. */
const COLOURS: Readonly<Record<LogLevel, number>> = { debug: 90, info: 36, warn: 33, error: 31 };
const FAINT = 90;

export interface TerminalFormat {
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
