import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/app/app.ts';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { operationDoor } from '../../../../src/surfaces/mcp/tasks/operation-door.ts';

function answer(output: Record<string, unknown>): Answer {
  return {
    output,
    outline: 'op-aaaaaa sandboxed_shell succeeded',
    quoted: 'built',
    finished: '',
    pictures: [],
    isFromDesktop: false,
    durationMs: 1,
  };
}

/** A client whose calls are answered in turn. */
function door(...answers: readonly (Record<string, unknown> | DeskterityError)[]) {
  const left = [...answers];
  const asked: unknown[] = [];
  const calls = {
    look: async (command: string, input: object) => {
      asked.push([command, input]);
      const next = left.shift();
      if (next === undefined || next instanceof DeskterityError) throw next ?? new Error('not expected');
      return answer(next);
    },
  };
  return { asked, ...operationDoor(calls, { isTextOnly: true }) };
}

const WAIT = ['operation await', { operation_ids: ['op-aaaaaa'], timeout_ms: 600_000 }];
const busy = (retryable: boolean) =>
  new DeskterityError('DAEMON_UNAVAILABLE', 'The holder does not answer.', {
    suggestion: 'Wait.',
    retryable,
  });

describe('an operation', () => {
  it('is waited for until it has ended, and then asked for its answer', async () => {
    const client = door({ still_running: ['op-aaaaaa'] }, { still_running: [] }, {});
    const result = await client.ended('op-aaaaaa', new AbortController().signal);
    expect(JSON.stringify(result)).toMatch(/sandboxed_shell succeeded[^]*built/);
    expect(client.asked).toEqual([WAIT, WAIT, ['operation status', { operation_id: 'op-aaaaaa' }]]);
  });

  it('that cannot be reached is asked again, unless that makes no sense', async () => {
    const { signal } = new AbortController();
    const again = door(busy(true), { still_running: [] }, {});
    expect(await again.ended('op-aaaaaa', signal)).not.toHaveProperty('isError');
    const gone = door(busy(false));
    expect(await gone.ended('op-aaaaaa', signal)).toMatchObject({ isError: true });
    expect(gone.asked).toHaveLength(1);
  });

  it('was cancelled only if it was running', async () => {
    expect(await door({ status: 'cancelled' }).cancel('op-aaaaaa')).toBe(true);
    expect(await door({ status: 'succeeded' }).cancel('op-aaaaaa')).toBe(false);
  });
});
