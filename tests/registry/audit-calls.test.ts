import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../src/commands/index.generated.ts';
import type { AuditRecord } from '../../src/model/audit/entry.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { WITHHELD } from '../../src/model/redaction/withheld.ts';
import { AuditFailure, type AuditPort } from '../../src/ports/audit/audit.ts';
import type { OnAuditFailure } from '../../src/ports/audit/call-audit.ts';
import { factsOfInput, isEffectful } from '../../src/registry/audited-facts.ts';
import { defineCommand, type CommandContext, type CommandDefinition } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { registerCommand, type RegisteredCommand } from '../../src/registry/registry.ts';
import { notedPolicy } from '../../src/policy/noted-policy.ts';
import { policyDenied } from '../../src/policy/policy-error.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';

/** A log whose writing and syncing a test controls. */
function fakeLog() {
  const records: (AuditRecord & { readonly isSynced: () => boolean })[] = [];
  let failure: AuditFailure | undefined;
  let syncing: Promise<void> = Promise.resolve();
  const log: AuditPort = {
    record: async (record) => {
      if (failure !== undefined) throw failure;
      let isSynced = false;
      records.push({ ...record, isSynced: () => isSynced });
      const synced = syncing.then(() => {
        isSynced = true;
        return undefined;
      });
      return { sequence: records.length, synced };
    },
    entries: async function* () {},
    check: async () => {
      throw new Error('not used');
    },
    files: async () => [],
    folder: '/audit',
  };
  return {
    log,
    records,
    fail: (code: string) => {
      failure = new AuditFailure('/audit', code, undefined);
    },
    holdSync: () => {
      let release = (): void => undefined;
      syncing = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

function setUp(onFailure: OnAuditFailure = 'refuse', recordsReads = false) {
  const fake = fakeLog();
  const problems: string[] = [];
  const desktop = fakeDesktop();
  const ctx: CommandContext = {
    ...desktop.ctx,
    audit: {
      log: async () => fake.log,
      onFailure,
      recordsReads,
      who: { session: 'default', client: 'command line' },
      onProblem: ({ code }) => problems.push(code),
    },
  };
  return { ...fake, ctx, problems };
}

function named(wanted: string): RegisteredCommand {
  const definition = commands.find(({ name }) => name === wanted);
  if (definition === undefined) throw new Error(wanted);
  return registerCommand(definition);
}

const command = (
  run: (ctx: CommandContext) => Promise<Record<string, unknown>>,
  more: Partial<Pick<CommandDefinition, 'group' | 'isUrgent' | 'isReadOnly'>> = {},
) =>
  registerCommand(
    defineCommand({
      name: 'try',
      group: 'system',
      kind: 'admin',
      summary: 'Try.',
      input: z.object({ name: z.string().optional(), text: z.string().optional() }),
      output: z.looseObject({}),
      examples: [],
      run,
      ...more,
    }),
  );

describe('every call that does something', () => {
  it('is on the disk before it is done, and its end before it is answered', async () => {
    const { ctx, records, holdSync } = setUp();
    const release = holdSync();
    let wasSynced: boolean | undefined;
    const done = invoke(
      command(async () => {
        wasSynced = records[0]?.isSynced();
        return { effect: 'confirmed' };
      }),
      ctx,
      { name: 'worker', text: 'a secret' },
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(wasSynced).toBeUndefined();
    release();
    await done;
    expect(wasSynced).toBe(true);
    expect(records.map(({ kind, facts }) => ({ kind, facts }))).toMatchObject([
      { kind: 'intent', facts: { command: 'try', name: 'worker', session: 'default' } },
      { kind: 'outcome', facts: { intent: 1, result: 'ok', effect: 'confirmed' } },
    ]);
    expect(JSON.stringify(records)).not.toContain('a secret');
  });

  it('is refused if it cannot be recorded, with the reason and the setting, and is not done', async () => {
    const { ctx, fail, problems } = setUp();
    fail('ENOSPC');
    let isDone = false;
    const call = invoke(
      command(async () => {
        isDone = true;
        return {};
      }),
      ctx,
      {},
    );
    await expect(call).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      message: expect.stringContaining('ENOSPC'),
      suggestion: expect.stringContaining('audit.on_failure'),
      delivered: false,
    });
    expect(isDone).toBe(false);
    expect(problems).toEqual(['ENOSPC']);
  });

  it('is done and warned of if the settings say so', async () => {
    const { ctx, fail, problems } = setUp('warn');
    fail('EROFS');
    expect(
      await invoke(
        command(async () => ({ done: true })),
        ctx,
        {},
      ),
    ).toEqual({ done: true });
    expect(problems).toEqual(['EROFS', 'EROFS']);
  });

  it('reaches no application before it is on the disk', async () => {
    const { ctx, records, holdSync } = setUp();
    const release = holdSync();
    let wasSynced: boolean | undefined;
    const act = registerCommand({
      ...named('click').definition,
      run: async (inner) => {
        await inner.engine();
        wasSynced = records[0]?.isSynced();
        return {};
      },
    });
    const done = invoke(act, ctx, { ref: '@e1' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wasSynced).toBeUndefined();
    release();
    await done;
    expect(wasSynced).toBe(true);
  });

  it('names the mode, the application as its process does, and the rule that decided', async () => {
    const { ctx, records } = setUp();
    const allowed = { decision: 'allow', rule: 'applications.allowed', why: 'It is listed.' } as const;
    const { policy, decided } = notedPolicy({ ...ctx.policy, mode: 'sandboxed', decide: () => allowed });
    const application = { name: 'Editor', executable: '/usr/bin/ed', desktopIds: ['org.ed'], pid: 42 };
    const act = registerCommand({
      ...named('click').definition,
      run: async (inner) => {
        // Many that were only looked at before, as in a list, do not displace it.
        for (let pid = 1000; pid < 1600; pid += 1)
          inner.policy.decide({ application: { name: 'Other', pid } });
        inner.policy.decide({ application });
        inner.policy.decide({ application: { name: 'Other', pid: 43 } });
        inner.onApplication?.({ name: 'Editor', pid: 42 });
        return {};
      },
    });
    await invoke(act, { ...ctx, policy, decided }, { ref: '@e1' });
    const mode = 'sandboxed';
    expect(records.map(({ facts }) => facts)).toMatchObject([
      { mode },
      {
        mode,
        app_name: 'Editor',
        app_pid: 42,
        app_executable: '/usr/bin/ed',
        app_desktop_id: 'org.ed',
        rule: 'applications.allowed',
      },
    ]);
  });

  it('names the application that was denied, and the rule, however the error was told on', async () => {
    const { ctx, records } = setUp();
    const verdict = { decision: 'deny', rule: 'applications.denied "Bank*"', why: 'It is listed.' } as const;
    const facts = { name: 'Bank', executable: '/opt/bank', pid: 9 };
    const act = registerCommand({
      ...named('click').definition,
      run: async () => {
        throw policyDenied('the application "Bank"', verdict, facts).with({ message: 'Told anew.' });
      },
    });
    await expect(invoke(act, ctx, { ref: '@e1' })).rejects.toThrow('Told anew.');
    expect(records.at(-1)).toMatchObject({
      kind: 'denied',
      facts: {
        app_name: 'Bank',
        app_executable: '/opt/bank',
        app_pid: 9,
        rule: 'applications.denied "Bank*"',
      },
    });
  });

  it('does not wait for a disk if it stops acting', async () => {
    const { ctx, holdSync } = setUp();
    holdSync();
    const stop = command(async () => ({ stopped: true }), { isUrgent: true });
    expect(await invoke(stop, ctx, {})).toEqual({ stopped: true });
  });

  it('records how it failed, in our words only if it was forbidden', async () => {
    const { ctx, records } = setUp();
    const failing = (code: 'POLICY_DENIED' | 'ACTION_FAILED') =>
      command(async () => {
        throw new DeskterityError(code, `Because of "shown text".`, { suggestion: 'No.', delivered: false });
      });
    await expect(invoke(failing('POLICY_DENIED'), ctx, {})).rejects.toThrow(/^(?:Because|No)/);
    await expect(invoke(failing('ACTION_FAILED'), ctx, {})).rejects.toThrow(/^(?:Because|No)/);
    expect(records[1]).toMatchObject({ kind: 'denied', facts: { result: 'POLICY_DENIED', intent: 1 } });
    expect(records[3]).toMatchObject({ kind: 'outcome', facts: { result: 'ACTION_FAILED' } });
    expect(records[3]?.facts['reason']).toBeUndefined();
  });
});

it('reads are recorded if they are forbidden, or if the settings ask for it', async () => {
  const read = command(async () => ({}), { isReadOnly: true });
  const quiet = setUp();
  await invoke(read, quiet.ctx, {});
  expect(quiet.records).toEqual([]);
  const forbidden = command(
    async () => {
      throw new DeskterityError('POLICY_DENIED', 'No.', { suggestion: 'No.' });
    },
    { isReadOnly: true },
  );
  await expect(invoke(forbidden, quiet.ctx, {})).rejects.toThrow(/^(?:Because|No)/);
  expect(quiet.records).toMatchObject([{ kind: 'denied' }]);
  const all = setUp('refuse', true);
  await invoke(read, all.ctx, {});
  expect(all.records).toMatchObject([{ kind: 'outcome', facts: { result: 'ok' } }]);
});

/** Commands that the command line carries out itself, without the part of the program that has a log. */
const WITHOUT_LOG = [
  'batch',
  'completion',
  'daemon logs',
  'daemon restart',
  'daemon start',
  'daemon stop',
  'guide',
  'mcp',
  'terminal attach',
];

describe('all commands', () => {
  const all = commands.map((definition) => registerCommand(definition));

  it('are recorded unless they only read, or the command line has them', () => {
    expect(all.filter(({ definition }) => definition.runsIn === 'client').map(({ name }) => name)).toEqual(
      WITHOUT_LOG,
    );
    const unrecorded = all.filter(
      ({ definition }) => definition.runsIn !== 'client' && !isEffectful(definition, {}),
    );
    for (const { definition } of unrecorded)
      expect(definition.kind === 'read' || definition.isReadOnly === true).toBe(true);
    expect(unrecorded.map(({ name }) => name)).toMatchSnapshot('only read');
  });

  it('record no input but what says where they act', () => {
    const keys = all
      .filter(({ definition }) => definition.runsIn !== 'client')
      .flatMap(({ input }) => Object.keys(input.shape));
    const click = named('click');
    const nothing = Object.keys(factsOfInput(click, {})).length;
    const isRecorded = (key: string): boolean =>
      ['x', ['x']].some((value) => Object.keys(factsOfInput(click, { [key]: value })).length > nothing);
    const withheld = [...new Set(keys)].filter((key) => !isRecorded(key)).toSorted();
    expect(withheld).toEqual(
      expect.arrayContaining(['args', 'call', 'key', 'keys', 'param', 'params', 'text', 'value']),
    );
    expect(withheld).toMatchSnapshot('never recorded');
  });

  it('record no secret, even as a target, and no arguments of a command line', () => {
    const typed = named('set-value');
    expect(factsOfInput(typed, { ref: 'label:"hunter2"', value: 'hunter2' }, ['hunter2'])).toEqual({
      command: 'set-value',
      does: 'act',
      target: WITHHELD,
    });
    const shell = named('sandboxed-shell');
    expect(factsOfInput(shell, { command: 'curl -H "token: abc" x' })).toMatchObject({ program: 'curl' });
    expect(factsOfInput(shell, { command: 'TOKEN=abc curl x' })).toMatchObject({
      program: 'not a plain name',
    });
  });
});
