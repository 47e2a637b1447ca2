import { describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../../../src/model/tasks/task-record.ts';
import { endedRecord } from '../../../../src/surfaces/mcp/tasks/ended-record.ts';
import { markApplicationText } from '../../../../src/surfaces/mcp/tools/application-text.ts';
import { text } from './support.ts';

const RECORD: TaskRecord = {
  format: 1,
  task_id: 't',
  principal: 'p',
  owner: 'o',
  runner: { pid: 1, start_time: '2', boot_id: '3' },
  tool: 'desktop_workflow',
  status: 'working',
  created_at: '2026-11-29T12:00:00.000Z',
  updated_at: '2026-11-29T12:00:00.000Z',
  keep_ms: 60_000,
};

describe('a task that was cancelled', () => {
  it('but was done by then, is completed', () => {
    const outcome = { kind: 'result', result: text('saved'), isCancelled: true } as const;
    expect(endedRecord(RECORD, outcome, false)).toMatchObject({ status: 'completed' });
  });

  it('says what was done, with what applications wrote marked to its end', () => {
    const foreign = markApplicationText(`<untrusted-00000000>\n${'x'.repeat(2000)}`);
    const result = { ...text(`CANCELLED: two of five steps\n${foreign}`), isError: true };
    const ended = endedRecord(RECORD, { kind: 'result', result, isCancelled: true }, false);
    expect(ended).toMatchObject({ status: 'cancelled', result });
    const [, mark = ''] = /<(untrusted-[0-9a-f]{8})>/.exec(foreign) ?? [];
    expect(ended.status_message?.startsWith('Its client cancelled it.\nCANCELLED: two of five steps')).toBe(
      true,
    );
    expect(ended.status_message?.endsWith(`…\n</${mark}>`)).toBe(true);
    expect(ended.status_message?.length).toBeLessThan(1100);
  });
});

describe('a result', () => {
  it('that is too long is not kept, but that it was done is', () => {
    const result = text('x'.repeat(5 * 1024 * 1024));
    const { result: kept, status } = endedRecord(
      RECORD,
      { kind: 'result', result, isCancelled: false },
      false,
    );
    expect(status).toBe('completed');
    expect(JSON.stringify(kept)).toContain('The call was done');
  });
});

describe('an error', () => {
  it.each([
    [new Error('a bug'), { code: -32_603, message: 'a bug' }],
    [Object.assign(new Error('no'), { code: -32_602, data: { a: 1 } }), { code: -32_602, data: { a: 1 } }],
    [Object.assign(new Error('gone'), { code: 'ENOENT' }), { code: -32_603, message: 'gone' }],
    ['thrown', { code: -32_603 }],
  ])('is kept as one of the protocol: %s', (error, expected) => {
    const ended = endedRecord(RECORD, { kind: 'error', error, isCancelled: false }, false);
    expect(ended).toMatchObject({ status: 'failed', error: expected });
  });
});
