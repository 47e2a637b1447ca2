import { inputRequired } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { TaskRun } from '../../../../src/surfaces/mcp/tasks/task-run.ts';
import { text } from './support.ts';

const FORM = inputRequired.elicit({ message: 'Who?', requestedSchema: { type: 'object', properties: {} } });

describe('a run', () => {
  it('whose client never answers has failed', async () => {
    const run = new TaskRun({
      work: async () => inputRequired({ inputRequests: { who: FORM } }),
      cancelOperation: async () => false,
      answerMs: 20,
    });
    run.becomeTask();
    expect(await run.ended).toMatchObject({
      kind: 'error',
      error: { message: 'The client did not answer within 0.02 s.' },
    });
  });

  it('whose operation cannot be ended goes on, and can be cancelled again', async () => {
    let end: (result: ReturnType<typeof text>) => void = () => undefined;
    const cancelOperation = vi.fn<(id: string) => Promise<boolean>>();
    cancelOperation.mockRejectedValueOnce(new Error('the holder does not answer'));
    cancelOperation.mockResolvedValueOnce(true);
    const work = () => new Promise<ReturnType<typeof text>>((resolve) => (end = resolve));
    const run = new TaskRun({ work, operationId: 'op-aaaaaa', cancelOperation });
    await expect(run.cancel()).rejects.toThrow('the holder does not answer');
    await run.cancel();
    end(text('ended'));
    expect(await run.ended).toMatchObject({ kind: 'result', isCancelled: true });
    expect(cancelOperation.mock.calls).toEqual([['op-aaaaaa'], ['op-aaaaaa']]);
  });

  it('that had ended before it could be cancelled was not cancelled', async () => {
    const run = new TaskRun({
      work: async () => text('done'),
      operationId: 'op-aaaaaa',
      cancelOperation: async () => false,
    });
    await run.cancel();
    expect(await run.ended).toMatchObject({ kind: 'result', isCancelled: false });
  });
});
