import { expect, it } from 'vitest';
import auditShow from '../../../src/commands/system/audit-show.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { follow } from '../../../src/surfaces/cli/verbs/audit-follow.ts';
import type { VerbContext } from '../../../src/surfaces/cli/verbs/verb.ts';
import { filesIn, intent, MUCH, newFolder, openLog } from '../../audit/support.ts';
import { NO_MCP } from '../../surfaces/cli/no-mcp.ts';
import { fakeDesktop } from '../fake-engine.ts';

/** A log of tiny files, and a command line that follows it. */
function scene() {
  const folder = newFolder();
  const log = openLog(folder, { keeping: { ...MUCH, fileBytes: 900 } });
  const interrupt = new AbortController();
  let printed = '';
  let isClosed = false;
  const { ctx } = fakeDesktop();
  const audit = {
    log: async () => log,
    onFailure: 'refuse' as const,
    recordsReads: true,
    who: { pid: 7 },
    onProblem: () => undefined,
  };
  const context: VerbContext = {
    input: { lines: 50, denied: false, follow: true },
    globals: { noDaemon: false, variables: {}, format: undefined, pretty: undefined, session: undefined },
    form: 'json',
    session: 'default',
    environment: {},
    manifest: {
      version: '1',
      envelopeVersion: '1.0',
      usageError: { code: 'INVALID_ARGUMENT', exitCode: 5 },
      internalExitCode: 70,
      errorExitCodes: {},
      commands: [],
    },
    get stdin(): never {
      throw new Error('not read');
    },
    stdout: {
      write: (text, done) => {
        printed += String(text);
        done();
        return true;
      },
    },
    stderr: { write: () => true },
    signal: interrupt.signal,
    connect: async () => ({
      ...NO_MCP,
      execute: async (_session, _command, input, options) => {
        const signal = options?.signal ?? interrupt.signal;
        const parsed = auditShow.input.parse(input);
        const run = auditShow.run({ ...ctx, audit, clock: createClock(), signal }, parsed);
        return run.then(
          (output) => ({ exitCode: 0, stdout: JSON.stringify(output), stderr: '' }),
          () => ({ exitCode: 1, stdout: 'cancelled', stderr: '' }),
        );
      },
      close: async () => {
        isClosed = true;
      },
    }),
  };
  const numbers = () =>
    printed
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line).sequence);
  return { folder, log, interrupt, context, numbers, isClosed: () => isClosed };
}

it('following prints each entry once, over many files, but not its own looks, and ends when interrupted', async () => {
  const { folder, log, interrupt, context, numbers, isClosed } = scene();
  await log.record(intent('first'));
  const following = follow.run(context);
  await expect.poll(numbers).toEqual([1]);
  await log.record({ kind: 'outcome', facts: { command: 'audit show', pid: 7 } });
  for (let count = 0; count < 8; count += 1) await log.record(intent('click'));
  await expect.poll(numbers).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
  await log.record(intent('last'));
  await expect.poll(() => numbers().at(-1)).toBe(11);
  expect(filesIn(folder).length).toBeGreaterThan(2);
  interrupt.abort();
  expect(await following).toBe(0);
  expect(isClosed()).toBe(true);
});
