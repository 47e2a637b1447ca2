import { describe, expect, it } from 'vitest';
import {
  isTaskId,
  taskExpiry,
  taskKeepMs,
  taskTtlMs,
  type TaskRecord,
} from '../../../src/model/tasks/task-record.ts';

const AT = Date.parse('2026-11-29T12:00:00.000Z');

const RECORD: TaskRecord = {
  format: 1,
  task_id: `task-${'a'.repeat(32)}`,
  principal: 'p',
  owner: 'o',
  runner: { pid: 1, start_time: '2', boot_id: '3' },
  tool: 'desktop_wait',
  status: 'working',
  created_at: new Date(AT).toISOString(),
  updated_at: new Date(AT).toISOString(),
  keep_ms: 60_000,
};

describe('how long a result is kept', () => {
  it.each([
    [undefined, 60_000],
    [0, 1000],
    [1500.9, 1500],
    [60_000, 60_000],
    [1e300, 3_600_000],
    [Number.POSITIVE_INFINITY, 3_600_000],
    [-1, undefined],
    [Number.NEGATIVE_INFINITY, undefined],
    [Number.NaN, undefined],
  ])('asked for %s, it is %s ms', (asked, expected) => {
    expect(taskKeepMs(asked)).toBe(expected);
  });

  it('counts from the end, so that no task expires while it is worked on', () => {
    expect(taskExpiry(RECORD, true)).toBeUndefined();
    expect(taskTtlMs(RECORD, AT + 90_000)).toBe(150_000);
    const ended = { ...RECORD, ended_at: new Date(AT + 90_000).toISOString() };
    expect(taskExpiry(ended, true)).toBe(AT + 150_000);
    expect(taskTtlMs(ended, AT + 500_000)).toBe(150_000);
  });

  it('a task whose process has ended waits a day for its client', () => {
    expect(taskExpiry(RECORD, false)).toBe(AT + 86_400_000);
  });
});

describe('an id', () => {
  it.each([
    '',
    'task-',
    `task-${'a'.repeat(31)}`,
    `task-${'A'.repeat(32)}`,
    `task-${'a'.repeat(32)}\n`,
    `../task-${'a'.repeat(32)}`,
    `task-../../../../etc/passwd${'a'.repeat(10)}`,
    `task-${'a'.repeat(30)}/.`,
    `task-${'a'.repeat(32)}\0`,
  ])('is not %j', (text) => {
    expect(isTaskId(text)).toBe(false);
  });

  it('has 160 bits', () => {
    expect(isTaskId(RECORD.task_id)).toBe(true);
  });
});
