import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commands } from '../../../../src/commands/index.generated.ts';
import type { AskedFor } from '../../../../src/model/configuration/config.ts';
import { commandLineSpeller } from '../../../../src/registry/command-line-speller.ts';
import { createRegistry } from '../../../../src/registry/registry.ts';
import { toolSpeller } from '../../../../src/surfaces/mcp/tools/client-spelling.ts';
import { allToolFacts, commandTools } from '../../../../src/surfaces/mcp/tools/command-tools.ts';
import { app, button, windowWith } from '../../../engine/support/stage.ts';
import { deskWorld } from '../resources/desk-world.ts';
import { meet, type Era } from './support.ts';
import { OPEN } from '../support/policies.ts';

const registry = createRegistry(commands);
const offered = allToolFacts(registry.commands);
const speller = toolSpeller({ offered, commandLine: commandLineSpeller(registry) });

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly properties: Record<
      string,
      { readonly oneOf?: { readonly const: string; readonly title: string }[] }
    >;
  };
}

interface Scene {
  readonly era?: Era;
  readonly asksFor?: AskedFor;
  /** The client's answer to each form; without it, the client answers none. */
  readonly answer?: (form: Form) => ElicitResult;
}

/** Two editors of one name, each with a button that notes that it was pressed. */
async function scene({ era = 'modern', asksFor, answer }: Scene) {
  const pressed: string[] = [];
  const editor = (pid: number) =>
    app({
      id: `app${pid}`,
      pid,
      windows: [
        windowWith([button(`save${pid}`, 'Save', { onPress: () => pressed.push(`Save ${pid}`) })], {
          id: `win${pid}`,
          title: `Document ${pid}`,
        }),
      ],
    });
  const { calls, desktop } = deskWorld([editor(100), editor(200)]);
  const tools = commandTools({
    calls,
    offered,
    speller,
    isTextOnly: false,
    policy: OPEN,
    hasTerminals: () => true,
    hasSessionArgument: () => false,
    asksFor,
  });
  const met = await meet(era, tools, {
    capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
  });
  endings.push(met.close, () => calls.close());
  const forms: Form[] = [];
  if (answer !== undefined)
    met.client.setRequestHandler('elicitation/create', async ({ params }) => {
      const form = params as unknown as Form;
      forms.push(form);
      return answer(form);
    });
  await met.connect();
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError, structuredContent } = await met.client.callTool({ name, arguments: input });
    return { isError, ...(structuredContent as Record<string, unknown> | undefined) };
  };
  return { call, forms, pressed, desktop };
}

const accept = (content: NonNullable<ElicitResult['content']>) => (): ElicitResult => ({
  action: 'accept',
  content,
});

describe.each(['legacy', 'modern'] as const)('in the %s era', (era) => {
  it('the client chooses one of several applications', async () => {
    const { call, forms } = await scene({ era, answer: accept({ app: '200' }) });
    expect(await call('desktop_snapshot', { app: 'Editor' })).toMatchObject({ window: { pid: 200 } });
    expect(forms).toMatchObject([{ message: '2 applications match "Editor". Which one?' }]);
    expect(forms[0]?.requestedSchema.properties['app']?.oneOf).toEqual([
      { const: '100', title: 'Editor (PID 100)' },
      { const: '200', title: 'Editor (PID 200)' },
    ]);
  });

  it('the client chooses the nearest element, which is pressed once', async () => {
    const nearest = ({ requestedSchema: { properties } }: Form): ElicitResult => {
      const [first] = properties['element']?.oneOf ?? [];
      return { action: 'accept', content: { element: first?.const ?? '' } };
    };
    const { call, forms, pressed } = await scene({ era, asksFor: 'always', answer: nearest });
    await call('desktop_click', {
      ref: 'window:"Document 200" >> role:button[name="Safe"]',
      timeout_ms: 2000,
    });
    expect(pressed).toEqual(['Save 200']);
    expect(forms).toHaveLength(1);
    expect(forms[0]?.message).toContain('Safe');
    expect(forms[0]?.requestedSchema.properties['element']?.oneOf).toMatchObject([
      { title: expect.stringContaining('button "Save"') },
      { const: 'none' },
    ]);
  });

  it('the client describes the element differently', async () => {
    const { call, pressed } = await scene({
      era,
      asksFor: 'always',
      answer: accept({ element: 'none', description: 'Save' }),
    });
    await call('desktop_click', {
      ref: 'window:"Document 100" >> role:button[name="Safe"]',
      timeout_ms: 2000,
    });
    expect(pressed).toEqual(['Save 100']);
  });

  it('accessibility is turned on only if the client says so', async () => {
    const answers = ['enable', 'show_instructions', 'cancel'];
    const requests: boolean[] = [];
    const { call, desktop, forms } = await scene({
      era,
      answer: () => ({ action: 'accept', content: { action: answers.shift() ?? '' } }),
    });
    vi.spyOn(desktop, 'permissions').mockImplementation(async (...given: unknown[]) => {
      const [{ request }] = given as [{ request: boolean }];
      requests.push(request);
      return {
        granted: request,
        checks: [
          { name: 'accessibility-bus', ok: true, detail: 'It answers.' },
          { name: 'accessibility-enabled', ok: request, detail: 'Accessibility is off.', fix: 'Turn it on.' },
        ],
      };
    });
    expect(await call('desktop_permissions', {})).toMatchObject({ granted: true });
    expect(requests).toContain(true);
    requests.length = 0;
    for (let time = 0; time < 2; time += 1)
      expect(await call('desktop_permissions', {})).toMatchObject({
        granted: false,
        checks: [{}, { fix: 'Turn it on.' }],
      });
    expect(requests).not.toContain(true);
    expect(forms[0]?.message).toBe('Accessibility is off. What shall be done?');
  });

  it('a client that declines gets the failure with the candidates', async () => {
    const { call } = await scene({ era, answer: () => ({ action: 'decline' }) });
    expect(await call('desktop_snapshot', { app: 'Editor' })).toMatchObject({
      isError: true,
      error: {
        code: 'AMBIGUOUS_APP',
        message: '2 applications match "Editor". The client was asked, and declined to answer.',
        candidates: [{ pid: 100 }, { pid: 200 }],
      },
    });
  });

  it.each([
    ['a client that answers no forms', undefined, undefined],
    ['a setting', 'never', accept({ app: '200' })],
  ] as const)('%s: the failure has the candidates', async (_, asksFor, answer) => {
    const { call, forms } = await scene({ era, asksFor, ...(answer === undefined ? {} : { answer }) });
    expect(await call('desktop_snapshot', { app: 'Editor' })).toMatchObject({
      error: { code: 'AMBIGUOUS_APP', candidates: [{ pid: 100 }, { pid: 200 }] },
    });
    expect(forms).toEqual([]);
  });

  it('does not act on a choice that was not offered', async () => {
    const { call, pressed } = await scene({
      era,
      asksFor: 'always',
      answer: accept({ element: '@e999', description: 'Save' }),
    });
    const ref = 'window:"Document 100" >> role:button[name="Safe"]';
    expect(await call('desktop_click', { ref, timeout_ms: 2000 })).toMatchObject({
      error: { code: 'ELEMENT_NOT_FOUND', message: expect.stringContaining('is not valid: element') },
    });
    expect(pressed).toEqual([]);
  });
});

it('is not asked what a model can find out, unless that is set', async () => {
  const { call, forms } = await scene({ answer: accept({ element: 'none' }) });
  const ref = 'window:"Document 100" >> role:button[name="Safe"]';
  expect(await call('desktop_click', { ref, timeout_ms: 2000 })).toMatchObject({
    error: { code: 'ELEMENT_NOT_FOUND' },
  });
  expect(forms).toEqual([]);
});

it('is not asked by a call that may have acted', async () => {
  const { call, forms, pressed } = await scene({ asksFor: 'always', answer: accept({ app: '200' }) });
  await call('desktop_do', {
    steps: [
      { command: 'click', ref: 'window:"Document 100" >> role:button[name="Save"]' },
      { command: 'click', ref: 'window:"Document 100" >> role:button[name="Safe"]' },
      { command: 'snapshot', app: 'Editor' },
    ],
  });
  expect(pressed).toEqual(['Save 100']);
  expect(forms).toEqual([]);
});
