import type { ClientOptions, ElicitResult } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import type { McpTool } from '../../../../src/surfaces/mcp/connections/connection.ts';
import { runWithQuestions } from '../../../../src/surfaces/mcp/questions/run-with-questions.ts';
import { meet, type Era } from './support.ts';

const PAGE = 'https://login.example.com/authorize?state=x';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Scene {
  readonly era: Era;
  readonly elicitation: NonNullable<NonNullable<ClientOptions['capabilities']>['elicitation']>;
  /** What the client does with the page; it may sign in. */
  readonly show: (signIn: () => void) => ElicitResult['action'];
}

/** A tool of another server, which needs somebody to sign in. */
async function scene({ era, elicitation, show }: Scene) {
  const shown: unknown[] = [];
  const completed: unknown[] = [];
  let endPage: (isDone: boolean) => void = () => undefined;
  const over = new Promise<boolean>((resolve) => (endPage = resolve));
  let isSignedIn = false;
  let calls = 0;
  const search: McpTool = {
    definition: { name: 'search', inputSchema: { type: 'object' } },
    call: async (input, { client }) => {
      const text = await runWithQuestions({
        command: 'tools call',
        input,
        runsOthers: false,
        client,
        asksFor: 'needed',
        run: async () => {
          calls += 1;
          if (isSignedIn) return 'found';
          const page = { address: PAGE, over };
          const details = { suggestion: 'Sign in.', page, delivered: false };
          throw new DeskterityError('UNAUTHORIZED', 'The server demands that somebody signs in.', details);
        },
        outputOf: (answer) => answer,
        onAsk: () => undefined,
      }).catch((error: unknown) => {
        if (error instanceof DeskterityError) return error.message;
        throw error;
      });
      return { content: [{ type: 'text', text }] };
    },
  };
  const met = await meet(era, [search], { capabilities: { elicitation } });
  endings.push(met.close);
  met.client.setRequestHandler('elicitation/create', async ({ params }) => {
    shown.push(params);
    return { action: show(() => (isSignedIn = true)) };
  });
  met.client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    completed.push(params);
  });
  await met.connect();
  const { content } = await met.client.callTool({ name: 'search', arguments: {} });
  return { content, shown, calls: () => calls, endPage, completed, client: met.client };
}

describe.each(['legacy', 'modern'] as const)('in the %s era', (era) => {
  it('the client shows the page, and the call succeeds once somebody has signed in', async () => {
    const show: Scene['show'] = (signIn) => {
      signIn();
      return 'accept';
    };
    const { content, shown } = await scene({ era, elicitation: { url: {} }, show });
    expect(content).toMatchObject([{ text: 'found' }]);
    expect(shown).toMatchObject([
      { mode: 'url', url: PAGE, message: 'The server demands that somebody signs in.' },
    ]);
  });

  it('showing the page is not signing in', async () => {
    const { content, shown } = await scene({ era, elicitation: { url: {} }, show: () => 'accept' });
    expect(content).toMatchObject([
      { text: expect.stringContaining('Call again when somebody has signed in.') },
    ]);
    expect(shown).toHaveLength(1);
  });

  it('a client that declines gets the failure', async () => {
    const { content } = await scene({ era, elicitation: { url: {} }, show: () => 'decline' });
    expect(content).toMatchObject([{ text: expect.stringContaining('declined') }]);
  });

  it('a client that shows only forms is not asked', async () => {
    const { content, shown, calls } = await scene({ era, elicitation: { form: {} }, show: () => 'accept' });
    expect(content).toMatchObject([{ text: 'The server demands that somebody signs in.' }]);
    expect([shown, calls()]).toEqual([[], 1]);
  });
});

describe('a client of 2025-11-25', () => {
  const accepting: Scene = { era: 'legacy', elicitation: { url: {} }, show: () => 'accept' };

  it('is told when somebody has signed in, also after the call', async () => {
    const { shown, endPage, completed } = await scene(accepting);
    expect(completed).toEqual([]);
    endPage(true);
    await vi.waitFor(() => expect(completed).toHaveLength(1));
    expect(shown).toMatchObject([completed[0]]);
  });

  it('is told nothing when nobody has, or when it did not show the page', async () => {
    const [failed, declined] = [await scene(accepting), await scene({ ...accepting, show: () => 'decline' })];
    failed.endPage(false);
    declined.endPage(true);
    // What had been sent before the answer would have arrived.
    for (const { client } of [failed, declined]) await client.ping();
    expect([failed.completed, declined.completed]).toEqual([[], []]);
  });
});

it('a client of 2026-07-28 has no such notification', async () => {
  const { endPage, completed, client } = await scene({
    era: 'modern',
    elicitation: { url: {} },
    show: () => 'accept',
  });
  endPage(true);
  await client.listTools();
  expect(completed).toEqual([]);
});
