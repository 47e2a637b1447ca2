import { expect, it } from 'vitest';
import { formatForTerminal } from '../../../src/platform/node/logs/log-format.ts';
import type { LogEntry, LogLevel } from '../../../src/ports/log.ts';

const time = new Date(2026, 0, 31, 12, 3, 4, 123);

it.each<[LogEntry, string]>([
  [
    { level: 'info', message: 'call answered', fields: { duration_ms: 12.4, command: 'find', count: 3 } },
    '12:03:04.123 info  call answered command=find count=3 12 ms',
  ],
  [{ level: 'error', message: 'gone' }, '12:03:04.123 error gone'],
  [
    {
      level: 'warn',
      message: 'a\u001B[2J\u202Eb',
      fields: { 'k\n': 'x y', path: '/a/b.log', off: false, no: undefined },
    },
    String.raw`12:03:04.123 warn  a\u{1B}[2J\u{202E}b k\n="x y" path=/a/b.log off=false`,
  ],
  [
    { level: 'debug', message: 'm', fields: { empty: '', forged: 'a\u009B31m"', duration_ms: 'slow' } },
    String.raw`12:03:04.123 debug m empty="" forged="a\u{9B}31m\"" duration_ms=slow`,
  ],
])('%j', (entry, line) => {
  expect(formatForTerminal(entry, { colour: false, time })).toBe(line);
});

it('is coloured only if requested, with the same text', () => {
  const levels: LogLevel[] = ['debug', 'info', 'warn', 'error'];
  for (const level of levels) {
    const entry: LogEntry = { level, message: 'm', fields: { a: 1, b: 'x y', duration_ms: 2 } };
    const plain = formatForTerminal(entry, { colour: false, time });
    const coloured = formatForTerminal(entry, { colour: true, time });
    expect(plain).not.toContain('\u001B');
    expect(coloured.replaceAll(new RegExp(String.raw`\u001B\[\d+m`, 'g'), '')).toBe(plain);
    expect(coloured).not.toBe(plain);
    expect(coloured.endsWith('\u001B[0m')).toBe(true);
  }
});
