import { readFileSync } from 'node:fs';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../../src/commands/index.generated.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { isRecord } from '../../../src/model/is-record.ts';
import { mentionCommand } from '../../../src/model/text/mention.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { AX_EQUIVALENTS, axTools } from '../../../src/surfaces/mcp/dialects/ax/ax-tools.ts';
import type { AxSetting } from '../../../src/surfaces/mcp/dialects/ax/ax-tool.ts';
import { allToolFacts } from '../../../src/surfaces/mcp/tools/command-tools.ts';
import { app, button, windowWith } from '../../engine/support/stage.ts';
import type { SimulatedApp, SimulatedNode } from '../../simulated/simulated-world.ts';
import { fakeCalls, simulatedCalls, voice } from './inspect-support.ts';
import { isShown } from '../../../src/surfaces/mcp/access/hidden-tool.ts';
import { OPEN, READING } from './support/policies.ts';

const facts = allToolFacts(createRegistry(commands).commands);
/** The tools as the founding text of the dialect has them, without what it says about each. */
const Specification = z.array(
  z.object({ name: z.string(), title: z.string().optional() }).catchall(z.json()),
);
const specified = Specification.parse(
  JSON.parse(readFileSync(new URL('ax-specification.json', import.meta.url), 'utf8')),
);
/** Without a command of ours. */
const ABSENT = ['ax_find_visual', 'ax_visual_diff', 'ax_a11y_audit', 'ax_run_script'];

const Result = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().default('') })).min(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});
const validator = new AjvJsonSchemaValidator();

const NAME: SimulatedNode = { id: 'name', role: 'textbox', name: 'Name', value: 'Ada', states: ['focused'] };

function editor(more: SimulatedNode[] = []): SimulatedApp {
  return app({
    name: 'Editor',
    pid: 100,
    windows: [
      windowWith([button('save', 'Save'), button('save-as', 'Save as'), NAME, ...more], {
        id: 'a',
        title: 'Document',
        focused: true,
      }),
      windowWith([button('other', 'Elsewhere')], { id: 'b', title: 'Second' }),
    ],
  });
}

function setting(changes: Partial<AxSetting> = {}): AxSetting {
  const calls = fakeCalls(() => Promise.reject(new Error('not used')));
  return { calls, policy: OPEN, structured: undefined, ...changes };
}

/** Calls tools by name; every answer with data keeps to its schema. */
function user(apps: SimulatedApp[] = [editor()]) {
  const { calls, world } = simulatedCalls(apps);
  const tools = new Map(axTools(setting({ calls }), facts).map((tool) => [tool.definition.name, tool]));
  const call = async (name: string, input: Record<string, unknown>) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    const result = Result.parse(await tool.call(input, voice()));
    const { outputSchema } = tool.definition;
    const isChecked = outputSchema !== undefined && !result.isError;
    const { valid } = isChecked
      ? validator.getValidator(outputSchema)(result.structuredContent)
      : { valid: true };
    expect(valid).toBe(true);
    const text = result.content[0]?.text ?? '';
    return { ...result, text, data: result.structuredContent };
  };
  return { call, world };
}

/** Without texts for people, which name this platform's things, and without tasks, which clients are offered elsewhere. */
function bare(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => isNames || ((key !== 'description' || isRecord(one)) && key !== 'execution'))
      .map(([key, one]) => [key, bare(one, key === 'properties')]),
  );
}

describe('the tools of the dialect ax', () => {
  const tools = axTools(setting(), facts).map(({ definition }) => definition);

  it('are those of its specification that have a command', () => {
    expect(specified).toHaveLength(26);
    const names = specified.map(({ name }) => name).filter((name) => !ABSENT.includes(name));
    expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const fewer = facts.filter(({ command }) => command !== 'undo');
    expect(axTools(setting(), fewer).map(({ definition }) => definition.name)).not.toContain('ax_undo');
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s has the specified schemas and hints',
    (name, tool) => {
      const { title, ...wanted } = specified.find((one) => one.name === name) ?? { name };
      const { name: own, inputSchema, outputSchema, annotations } = tool;
      const given = {
        name: own,
        inputSchema,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        annotations,
      };
      expect(bare(given)).toEqual(bare(wanted));
      expect(tool.title).toBe(title ?? tool.title);
      expect(tool.description).not.toMatch(/macOS|AppleScript/);
    },
  );

  it('can be tasks where the specification says so', () => {
    const long = axTools(setting(), facts).filter(({ taskSupport }) => taskSupport === 'optional');
    const wanted = specified.filter(
      ({ name, execution }) => execution !== undefined && !ABSENT.includes(name),
    );
    expect(long.map(({ definition }) => definition.name).toSorted()).toEqual(
      wanted.map(({ name }) => name).toSorted(),
    );
  });

  it('change nothing for a client that may only read, but connect', () => {
    const reading = axTools(setting({ policy: READING }), facts)
      .filter((tool) => isShown(tool, READING))
      .map(({ definition }) => definition);
    expect(reading.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toMatchObject([
      { name: 'ax_connect' },
    ]);
    expect(reading.map(({ name }) => name)).not.toContain('ax_clipboard');
  });

  it('have no schemas of answers for a client that wants only text', () => {
    const texts = axTools(setting({ structured: 'never' }), facts);
    expect(texts.filter(({ definition }) => definition.outputSchema !== undefined)).toEqual([]);
  });
});

describe('finding and reading', () => {
  it('finds by title, by role and title, by reference and by locator', async () => {
    const { call } = user();
    const saved = await call('ax_find', { app: 'Editor', query: 'Save' });
    expect(saved.data).toMatchObject({
      found: true,
      method: 'accessibility',
      strategy: 'title_exact',
      role: 'button',
      title: 'Save',
      enabled: true,
      focused: false,
    });
    expect(JSON.parse(saved.text)).toEqual(saved.data);
    const ref = saved.data?.['element_ref'];
    expect(ref).toMatch(/^@e\d+$/);
    for (const query of ['button:Save', 'AXButton:Save', ref, 'role:button[name="Save"]'])
      expect((await call('ax_find', { app: 'Editor', query })).data).toMatchObject({ title: 'Save' });
    expect((await call('ax_find', { app: 'Editor', query: 'zebra' })).data).toEqual({ found: false });
    expect((await call('ax_find', { app: 'Editor', query: 'Elsewhere' })).data).toMatchObject({
      found: true,
    });
  });

  it('takes the first of several matches for reading, and none for acts', async () => {
    const twins = ['one', 'two', 'three'].map((id) => button(id, 'Twin', { description: id }));
    const { call } = user([editor(twins)]);
    for (const query of ['Twin', 'role:button[name="Twin"]']) {
      const { data } = await call('ax_find', { app: 'Editor', query });
      expect(data).toMatchObject({ found: true, title: 'Twin' });
      expect((await call('ax_get_attributes', { app: 'Editor', query })).isError).toBe(false);
      expect((await call('ax_get_tree', { app: 'Editor', root_query: query })).text).toContain('"one"');
      expect((await call('ax_assert', { app: 'Editor', query, assertions: { enabled: true } })).data).toEqual(
        {
          passed: true,
          failures: [],
        },
      );
      expect((await call('ax_click', { app: 'Editor', query })).isError).toBe(true);
    }
  });

  it('never suggests the tool that has just failed', async () => {
    const error = new DeskterityError('TIMEOUT', 'It was not idle.', {
      suggestion: mentionCommand('wait', { text: 'TEXT' }),
    });
    const [tool] = axTools(setting({ calls: fakeCalls(() => Promise.reject(error)) }), facts).filter(
      ({ definition }) => definition.name === 'ax_wait_idle',
    );
    const { content } = Result.parse(await tool?.call({ app: 'Editor' }, voice()));
    expect(content[0]?.text).toContain('Suggestion: Raise timeout_ms.');
    expect(content[0]?.text).not.toContain('ax_wait_idle');
    expect(AX_EQUIVALENTS['wait']).not.toBe('ax_wait_idle');
  });

  it('reads values, trees, windows and applications', async () => {
    const { call } = user();
    expect((await call('ax_get_value', { app: 'Editor', query: 'Name' })).data).toEqual({
      found: true,
      value: 'Ada',
      role: 'textbox',
      title: 'Name',
    });
    const tree = await call('ax_get_tree', { app: 'Editor' });
    expect(JSON.parse(tree.text)).toMatchObject({
      app: 'Editor',
      tree: { role: 'window', children: [{ title: 'Save' }, { title: 'Save as' }, { value: 'Ada' }] },
    });
    expect(tree.data).toBeUndefined();
    const compact = await call('ax_get_tree', { app: 'Editor', compact: true });
    expect(compact.text).toContain('\n  button:Save\n');
    expect((await call('ax_list_windows', { app: 'Editor' })).data).toMatchObject({
      windows: [
        { index: 0, title: 'Document', focused: true },
        { index: 1, title: 'Second', focused: false },
      ],
    });
    expect((await call('ax_list_apps', {})).data).toEqual({
      apps: [{ name: 'Editor', pid: 100, connected: false }],
    });
    const attributes = await call('ax_get_attributes', { app: 'Editor', query: 'Save' });
    expect(attributes.isError).toBe(false);
  });

  it('asserts, and says what is otherwise', async () => {
    const { call } = user();
    const about = { app: 'Editor', query: 'Name' };
    const ok = await call('ax_assert', { ...about, assertions: { value: 'Ada', focused: true } });
    expect(ok.data).toEqual({ passed: true, failures: [] });
    const wrong = await call('ax_assert', { ...about, assertions: { value: 'Grace' } });
    expect(wrong.data).toEqual({
      passed: false,
      failures: [{ property: 'value', expected: 'Grace', actual: 'Ada' }],
    });
    const none = { app: 'Editor', query: 'zebra' };
    expect((await call('ax_assert', { ...none, assertions: { exists: false } })).data).toMatchObject({
      passed: true,
    });
    expect((await call('ax_assert', { ...none, assertions: { enabled: true } })).data).toMatchObject({
      passed: false,
    });
  });
});

describe('failures', () => {
  it('name what was not found, what was tried, and what to do', async () => {
    const { call } = user();
    const { text, isError, data } = await call('ax_click', { app: 'Editor', query: 'Submit' });
    expect({ isError, data }).toEqual({ isError: true, data: undefined });
    expect(text).toMatch(
      /^Error: Element not found: 'Submit'\.\n\nStrategies tried: title_exact, .*\n\nSuggestion: Try ax_get_tree/s,
    );
  });

  it('act on none of several elements, but name them', async () => {
    const { call } = user([editor([button('twin', 'Save')])]);
    const { text, isError } = await call('ax_click', { app: 'Editor', query: 'Save' });
    expect(isError).toBe(true);
    expect(text).toMatch(/2 elements match 'Save'[^]*Candidates: button "Save" @e\d+; button "Save" @e\d+/);
  });

  it('are spelled in the terms of the dialect', async () => {
    const { call } = user();
    expect((await call('ax_find', { app: 'Nope', query: 'x' })).text).toMatch(
      /^Error: App not connected|^<untrusted[^]*Error: App not connected/,
    );
    expect((await call('ax_click', { app: 'Editor', query: 'Save', click_type: 'triple' })).text).toMatch(
      /Invalid params: The parameter "click_type" is not valid/,
    );
    expect((await call('ax_click', { app: 'Editor', querry: 'Save' })).text).toMatch(
      /Did you mean "query"\?/,
    );
    expect((await call('ax_click', { app: 'Editor' })).text).toMatch(/The parameter "query" is missing/);
    expect((await call('ax_drag', { app: 'Editor', from_x: 1, to_query: 'Save' })).text).toMatch(
      /start of the drag is not clear/,
    );
  });
});

describe('ax_workflow', () => {
  it('runs steps that use earlier answers, and stops at the first that fails', async () => {
    const { call } = user();
    const find = { tool: 'ax_find', args: { app: 'Editor', query: 'Name' } };
    const done = await call('ax_workflow', {
      steps: [find, { tool: 'ax_get_value', args: { app: 'Editor', query: '{{step_0.element_ref}}' } }],
    });
    expect(done.data).toMatchObject({
      success: true,
      steps_completed: 2,
      steps_total: 2,
      results: [{ found: true }, { value: 'Ada' }],
    });
    const failed = await call('ax_workflow', {
      steps: [
        { ...find, args: { app: 'Editor', query: 'zebra' }, on_fail: 'skip' },
        { tool: 'ax_assert', args: { app: 'Editor', query: 'Name', assertions: { value: 'B' } }, retry: 1 },
        find,
      ],
    });
    expect(failed.isError).toBe(true);
    expect(failed.data).toMatchObject({
      success: false,
      steps_completed: 0,
      steps_total: 3,
      results: [{ status: 'skipped' }, { status: 'failed' }],
    });
  });

  it('runs nothing if a step names an unknown tool', async () => {
    const { call } = user();
    const steps = [
      { tool: 'ax_click', args: { app: 'Editor', query: 'Save' } },
      { tool: 'ax_clik', args: {} },
    ];
    expect((await call('ax_workflow', { steps })).text).toMatch(/Step 1 names[^]*Did you mean ax_click\?/);
  });
});
