import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { commands } from '../../../../src/commands/index.generated.ts';
import type { AskedFor } from '../../../../src/model/configuration/config.ts';
import { createRegistry } from '../../../../src/registry/registry.ts';
import { axTools } from '../../../../src/surfaces/mcp/dialects/ax/ax-tools.ts';
import { allToolFacts } from '../../../../src/surfaces/mcp/tools/command-tools.ts';
import { app, button, windowWith } from '../../../engine/support/stage.ts';
import { deskWorld } from '../resources/desk-world.ts';
import { meet, type Era } from './support.ts';
import { OPEN } from '../support/policies.ts';

const facts = allToolFacts(createRegistry(commands).commands);
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** Two editors of one name, and a client of the toolset `ax` that answers every form like this. */
async function scene(era: Era, content: ElicitResult['content'], asksFor?: AskedFor) {
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
  const { calls } = deskWorld([editor(100), editor(200)]);
  const tools = axTools({ calls, policy: OPEN, structured: undefined, asksFor }, facts);
  const met = await meet(era, tools, { capabilities: { elicitation: { form: {} } } });
  endings.push(met.close, () => calls.close());
  let forms = 0;
  met.client.setRequestHandler('elicitation/create', async () => {
    forms += 1;
    return { action: 'accept', content };
  });
  await met.connect();
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const result = await met.client.callTool({ name, arguments: input });
    return `${result.isError === true ? 'failed: ' : ''}${JSON.stringify(result.content)}`;
  };
  return { call, pressed, forms: () => forms };
}

describe.each(['legacy', 'modern'] as const)('tools of the dialect ax in the %s era', (era) => {
  it('ask which application is meant, and act once there', async () => {
    const { call, pressed, forms } = await scene(era, { app: '200' });
    expect(await call('ax_connect', { app: 'Editor', alias: 'ed' })).toContain('200');
    expect(await call('ax_click', { app: 'Editor', query: 'button:Save' })).not.toMatch(/^failed/);
    expect([pressed, forms()]).toEqual([['Save 200'], 2]);
  });

  it('ask which element is meant where clients are always asked', async () => {
    const { call, pressed } = await scene(era, { description: 'Save' }, 'always');
    const said = await call('ax_click', { app: '200', query: 'zebra crossing' });
    expect([pressed, said.startsWith('failed')]).toEqual([['Save 200'], false]);
  });

  it('ask nothing in a workflow, which may have acted before', async () => {
    const { call, forms } = await scene(era, { app: '200' });
    const steps = [{ tool: 'ax_click', args: { app: 'Editor', query: 'Save' } }];
    expect(await call('ax_workflow', { steps })).toMatch(/^failed/);
    expect(forms()).toBe(0);
  });
});
