import { describe, expect, it } from 'vitest';
import type { App } from '../../../../src/app/app.ts';
import type { Policy } from '../../../../src/model/policy/verdict.ts';
import type { RequestChannel } from '../../../../src/surfaces/mcp/connections/connection.ts';
import { openConnection } from '../../../../src/surfaces/mcp/tools/open-connection.ts';
import { readPolicy } from '../../../../src/policy/reading/read-policy.ts';
import { app, button, windowWith } from '../../../engine/support/stage.ts';
import { ruled } from '../../../policy/policy-of.ts';
import { deskWorld } from '../resources/desk-world.ts';
import { OPEN, READING } from '../support/policies.ts';
import { SILENT_CLIENT } from '../support/silent-client.ts';

const CALLER = { environment: { DISPLAY: ':1' }, cwd: '/' };
const ALL = ['all', 'ax', 'inspect', 'terminator'];
const VOICE: RequestChannel = {
  signal: new AbortController().signal,
  progress: () => undefined,
  log: () => undefined,
  client: SILENT_CLIENT,
  may: () => true,
  context: {} as RequestChannel['context'],
};

/** A client of a program whose policy the test changes. */
async function scene(isReadOnly = false) {
  let policy: Policy = OPEN;
  const listeners = new Set<() => void>();
  const world = deskWorld([app({ name: 'Editor', windows: [windowWith([button('save', 'Save')])] })], {
    // As the real one: the variables of a client can only tighten it.
    policy: async ({ environment }) =>
      readPolicy([], environment, { commands: [] }).mode === 'sandboxed' ? READING : policy,
  });
  const program: App = {
    ...world.app,
    watchPolicy: (_, listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const connection = await openConnection({
    app: program,
    caller: CALLER,
    version: '1',
    options: { toolsets: ALL, isReadOnly, structured: undefined, session: undefined },
    hasSessionArgument: false,
  });
  await connection.toolsKnown;
  return {
    ...world,
    connection,
    listed: () => connection.tools.map(({ definition }) => definition.name),
    change: (to: Policy) => {
      policy = to;
      for (const listener of listeners) listener();
    },
    call: (name: string, input: Record<string, unknown>) =>
      [...connection.tools, ...(connection.hiddenTools ?? [])]
        .find(({ definition }) => definition.name === name)
        ?.call(input, VOICE),
  };
}

const ACTING = ['desktop_click', 'desktop_fill', 'desktop_do', 'desktop_workflow', 'desktop_clipboard_set'];
const OTHERS = ['terminal', 'terminator.execute', 'sandboxed_shell', 'run_tool', 'tools_call'];
const OF_AX = ['ax_click', 'ax_clipboard', 'ax_workflow', 'ax_undo'];

describe('a client that may only read', () => {
  it.each([
    ['because it asked for that', true],
    ['because of the mode', false],
  ])('%s lists nothing that acts', async (_, isReadOnly) => {
    const { connection, listed, change } = await scene(isReadOnly);
    if (!isReadOnly) change(READING);
    await connection.toolsKnown;
    for (const name of [...ACTING, ...OTHERS, ...OF_AX]) expect(listed()).not.toContain(name);
    for (const name of ['desktop_snapshot', 'ax_connect', 'ax_find', 'ax_session_info', 'get_ui_tree'])
      expect(listed()).toContain(name);
    expect(connection.instructions).toContain('The security mode is sandboxed');
    expect(connection.prompts.map(({ definition }) => definition.name)).not.toContain('test-app');
    await connection.close();
  });

  it.each([...ACTING, ...OTHERS, ...OF_AX])(
    'is told why %s is refused, before anything is looked up',
    async (name) => {
      const { connection, call } = await scene(true);
      const result = await call(name, { ref: 'role:button', app: 'Editor', query: 'Save' });
      expect(result).toMatchObject({ isError: true });
      const text = JSON.stringify(result);
      expect(text).toContain('mode sandboxed');
      expect(text).toContain('POLICY_DENIED');
      await connection.close();
    },
  );

  it('learns its mode from the dialect', async () => {
    const { connection, call } = await scene(true);
    expect(await call('ax_session_info', {})).toMatchObject({
      structuredContent: { security_mode: 'sandboxed' },
    });
    await connection.close();
  });
});

describe('a change of the policy', () => {
  it('is told to those who watch the tools, once, and to those who watch the mode', async () => {
    const { connection, change, listed } = await scene();
    let changes = 0;
    const modes: string[] = [];
    const ends = [
      connection.watchTools(() => (changes += 1)),
      connection.watchMode?.((mode) => modes.push(mode)),
    ];
    expect(listed()).toContain('desktop_click');
    change(READING);
    await expect.poll(() => [changes, modes]).toEqual([1, ['sandboxed']]);
    expect(listed()).not.toContain('desktop_click');
    // Nothing else than before.
    change(READING);
    change(OPEN);
    await expect.poll(() => [changes, modes]).toEqual([2, ['sandboxed', 'normal']]);
    expect(listed()).toContain('desktop_click');
    ends.forEach((end) => end?.());
    await connection.close();
  });

  it('is told to those who watch the prompts, the list of resources, or one that may no longer be read', async () => {
    const { connection, change } = await scene();
    const told: string[] = [];
    const denying = readPolicy(
      [
        {
          path: 'policy.toml',
          file: { table: { applications: { denied: ['Editor'] } } },
          isOfProject: false,
        },
      ],
      {},
      { commands: [] },
    );
    const ends = [
      connection.watchPrompts?.(() => told.push('prompts')),
      await connection.resources.watchList(() => told.push('list')),
      await connection.resources.watch('deskterity://app/Editor/tree', () => told.push('tree')),
    ];
    change(denying);
    // Sooner than the resource would be looked at without an event.
    await expect.poll(() => told.toSorted(), { timeout: 900 }).toEqual(['list', 'tree']);
    change(READING);
    await expect.poll(() => told).toContain('prompts');
    expect(told.filter((one) => one === 'prompts')).toHaveLength(1);
    ends.forEach((end) => end?.());
    await connection.close();
  });

  it('counts for a call of a tool that was hidden before it', async () => {
    const { connection, call, change } = await scene();
    change(READING);
    await connection.toolsKnown;
    change(OPEN);
    const result = await call('desktop_set_value', { ref: '@e99', value: 'x' });
    expect(JSON.stringify(result)).toContain('ELEMENT_NOT_FOUND');
    await connection.close();
  });

  it('hides single tools that it denies', async () => {
    const { connection, change, listed, call } = await scene();
    const file = { table: { commands: { denied: ['drag'] } } };
    const found = { path: 'policy.toml', file, isOfProject: false };
    change(readPolicy([found], {}, { commands: ruled(['drag']) }));
    await connection.toolsKnown;
    expect(listed()).toEqual(expect.arrayContaining(['desktop_click', 'ax_click']));
    expect(listed()).not.toContain('desktop_drag');
    expect(listed()).not.toContain('ax_drag');
    expect(JSON.stringify(await call('ax_drag', {}))).toContain('commands.denied');
    await connection.close();
  });
});
