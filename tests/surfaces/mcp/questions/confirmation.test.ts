import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { commands } from '../../../../src/commands/index.generated.ts';
import type { AskedFor } from '../../../../src/model/configuration/config.ts';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { commandLineSpeller } from '../../../../src/registry/command-line-speller.ts';
import { createRegistry } from '../../../../src/registry/registry.ts';
import { CONFIRMATION } from '../../../../src/surfaces/mcp/questions/cases/confirmation.ts';
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

const DELETE = 'role:button[name="Delete all"]';
const AGREES: ElicitResult = { action: 'accept', content: { confirm: true } };

interface Scene {
  readonly era?: Era;
  readonly asksFor?: AskedFor;
  readonly answer?: (message: string) => ElicitResult;
}

/** An editor whose buttons note that they were pressed, and a client. */
async function scene({ era = 'modern', asksFor, answer }: Scene) {
  const pressed: string[] = [];
  const press = (id: string, name: string) => button(id, name, { onPress: () => pressed.push(id) });
  const window = windowWith([press('keep', 'Keep'), press('delete', 'Delete all')], { title: 'Notes' });
  const world = deskWorld([app({ windows: [window] })]);
  const { calls } = world;
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
  const asked: string[] = [];
  if (answer !== undefined)
    met.client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return answer(params.message);
    });
  await met.connect();
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError, structuredContent, content } = await met.client.callTool({ name, arguments: input });
    return { isError: isError === true, text: JSON.stringify([structuredContent, content]) };
  };
  return { call, asked, pressed, world };
}

describe.each<Era>(['legacy', 'modern'])('a client of the %s era that can ask a person', (era) => {
  it('is asked what will be done to what, and the act is done once', async () => {
    const { call, asked, pressed } = await scene({ era, answer: () => AGREES });
    expect(await call('desktop_click', { ref: DELETE })).toMatchObject({ isError: false });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(
      /^This would click button "Delete all" @e\d+ in the window "Notes" of .*irreversible/,
    );
    expect(pressed).toEqual(['delete']);
  });

  it.each<ElicitResult>([
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { confirm: false } },
  ])('nothing is pressed after the answer %j', async (answer) => {
    const { call, pressed } = await scene({ era, answer: () => answer });
    const { isError, text } = await call('desktop_click', { ref: DELETE });
    expect(isError).toBe(true);
    expect(text).toContain('CONFIRMATION_REQUIRED');
    expect(text).not.toMatch(/[0-9a-f]{64}/);
    expect(pressed).toEqual([]);
  });

  it('is asked anew for each act', async () => {
    const { call, asked, pressed } = await scene({ era, answer: () => AGREES });
    await call('desktop_click', { ref: DELETE });
    await call('desktop_click', { ref: DELETE });
    expect(asked).toHaveLength(2);
    expect(pressed).toEqual(['delete', 'delete']);
  });

  it('is not asked about what loses nothing', async () => {
    const { call, asked, pressed } = await scene({ era, answer: () => AGREES });
    await call('desktop_click', { ref: 'role:button[name="Keep"]' });
    expect([asked, pressed]).toEqual([[], ['keep']]);
  });

  it('cannot hide the act among steps', async () => {
    const { call, asked, pressed } = await scene({ era, answer: () => AGREES });
    const { isError, text } = await call('desktop_do', { steps: [{ command: 'click', ref: DELETE }] });
    expect(isError).toBe(true);
    expect(text).toContain('CONFIRMATION_REQUIRED');
    expect([asked, pressed]).toEqual([[], []]);
  });

  it('is told by a dry run that consent is needed', async () => {
    const { call, pressed } = await scene({ era, answer: () => ({ action: 'decline' }) });
    expect((await call('desktop_click', { ref: DELETE, dry_run: true })).text).toContain(
      'CONFIRMATION_REQUIRED',
    );
    expect(pressed).toEqual([]);
  });
});

it('an answer is not used for another element that took the place of the first', async () => {
  const built = await scene({
    era: 'legacy',
    answer: () => {
      // While the person reads, the application puts another button of the same name there.
      if (built.asked.length === 1) swap();
      return built.asked.length === 1 ? AGREES : { action: 'decline' };
    },
  });
  const swap = (): void => {
    const window = built.world.world.apps[0]?.windows[0];
    const root = window?.root;
    if (root === undefined) throw new Error('no window');
    const other = button('other', 'Delete all', { onPress: () => built.pressed.push('other') });
    root.children = (root.children ?? []).map((child) => (child.id === 'delete' ? other : child));
  };
  const { isError } = await built.call('desktop_click', { ref: DELETE });
  expect(isError).toBe(true);
  expect(built.pressed).toEqual([]);
});

it.each([
  ['a client that cannot ask anybody', {}],
  ['a client that is never asked', { asksFor: 'never', answer: () => AGREES }],
] as const)('%s acts as before', async (_, how) => {
  const { call, asked, pressed } = await scene(how);
  expect(await call('desktop_click', { ref: DELETE })).toMatchObject({ isError: false });
  expect([asked, pressed]).toEqual([[], ['delete']]);
});

it('tells a person beside the message what is recorded nowhere', () => {
  const told = { aside: 'Its input: {"id":5}', picture: { take: async () => undefined, file: '/p.png' } };
  const error = new DeskterityError('CONFIRMATION_REQUIRED', 'This would run it.', {
    suggestion: 'Ask.',
    consent: 'c'.repeat(64),
    ...told,
  });
  const question = (found: DeskterityError) => CONFIRMATION.question(found, {});
  expect(question(error)).toMatchObject({ aside: `${told.aside} A picture of it is in /p.png.` });
  expect(question(error.with({ picture: undefined }))).toMatchObject({ aside: told.aside });
  expect(question(error.with({ aside: undefined, picture: undefined }))).toMatchObject({ aside: undefined });
  expect(JSON.stringify(error.toBody())).not.toContain('id');
});
