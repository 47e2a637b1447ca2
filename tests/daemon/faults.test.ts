import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { surviveFaults } from '../../src/processes/faults.ts';
import type { LogEntry } from '../../src/ports/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function scene() {
  const faults = new EventEmitter();
  const logged: LogEntry[] = [];
  const giveUp = vi.fn<() => void>();
  surviveFaults({ write: (entry) => void logged.push(entry) }, giveUp, faults);
  const repeat = (event: string, count: number) => {
    for (let turn = 0; turn < count; turn += 1) faults.emit(event, new TypeError('typed: secret'));
  };
  return { logged, giveUp, repeat };
}

it('any number of rejections ends nothing and does not fill the log', () => {
  const { logged, giveUp, repeat } = scene();
  repeat('unhandledRejection', 10_000);
  expect(giveUp).not.toHaveBeenCalled();
  expect(logged).toHaveLength(11);
  expect(logged[0]).toMatchObject({ message: 'unhandled rejection', fields: { name: 'TypeError' } });
  expect(JSON.stringify(logged)).not.toContain('secret');
  vi.advanceTimersByTime(60_000);
  repeat('unhandledRejection', 1);
  expect(logged).toHaveLength(12);
});

it('many exceptions in a minute end the process, whatever was rejected', () => {
  const { giveUp, repeat } = scene();
  repeat('unhandledRejection', 50);
  repeat('uncaughtException', 10);
  vi.advanceTimersByTime(60_000);
  repeat('uncaughtException', 10);
  expect(giveUp).not.toHaveBeenCalled();
  repeat('uncaughtException', 1);
  expect(giveUp).toHaveBeenCalledOnce();
});
