import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { Snapshot } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { useClients, type Era, type McpDesk } from './support/mcp-client.ts';

const place = usePlace();
const connect = useClients(place);

/** Two applications of one name. */
let first: Bench;
let second: Bench;
beforeAll(async () => {
  first = new Bench(place(), await place().fixture('gtk3', 'First'));
  second = new Bench(place(), await place().fixture('gtk3', 'Second'));
});

type Form = ElicitRequestFormParams;

/** A client that answers forms. */
async function asked(
  era: Era,
  answer: (form: Form) => ElicitResult,
): Promise<{ desk: McpDesk; forms: Form[] }> {
  const forms: Form[] = [];
  const desk = await connect({
    era,
    way: 'stdio',
    capabilities: { elicitation: { form: {} } },
    environment: { DESKTERITY_MCP_QUESTIONS: 'always' },
  });
  desk.client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') throw new Error('a form was expected');
    forms.push(params);
    return answer(params);
  });
  return { desk, forms };
}

/** The values that a field of a form offers. */
function offered(form: Form, field: string): readonly string[] {
  const schema = form.requestedSchema.properties[field];
  return schema !== undefined && 'oneOf' in schema ? schema.oneOf.map((option) => option.const) : [];
}

describe.each<Era>(['legacy', 'modern'])('a client of the %s era that answers forms', (era) => {
  it('chooses one of two applications of one name', async () => {
    const pid = String(second.fixture.pid);
    const { desk, forms } = await asked(era, () => ({ action: 'accept', content: { app: pid } }));
    const { window } = await desk.data(Snapshot, 'desktop_snapshot', { app: 'deskterity-fixture' });
    expect(window?.title).toBe(second.fixture.title);
    expect(forms.map((form) => offered(form, 'app').toSorted())).toEqual([
      [String(first.fixture.pid), pid].toSorted(),
    ]);
  });

  it('chooses the nearest element, which is pressed once', async () => {
    const { desk, forms } = await asked(era, (form) => ({
      action: 'accept',
      content: { element: offered(form, 'element')[0] ?? '' },
    }));
    const ref = `window:"${first.fixture.title}" >> role:button[name="Presss"]`;
    // Enough for a busy machine to read the window, and to press what was chosen.
    const { events } = await first.recording(() => desk.call('desktop_click', { ref, timeout_ms: 12_000 }));
    expect(events.filter(({ event }) => event === 'clicked')).toHaveLength(1);
    expect(forms).toHaveLength(1);
  });
});

it('a client that declines: nothing is pressed', async () => {
  const { desk } = await asked('legacy', () => ({ action: 'decline' }));
  const ref = `window:"${first.fixture.title}" >> role:button[name="Presss"]`;
  const { events, result } = await first.recording(() =>
    desk.call('desktop_click', { ref, timeout_ms: 2000 }),
  );
  expect(events).toEqual([]);
  expect(JSON.stringify(result)).toContain('declined');
});

it('no other client and no other arguments get a state accepted: neither application closes', async () => {
  const answer = (): ElicitResult => ({ action: 'cancel' });
  const [ann, bob] = [await asked('modern', answer), await asked('modern', answer)];
  const app = 'deskterity-fixture';
  const close = (desk: McpDesk, input: object, more: object = {}) =>
    desk.client.request(
      { method: 'tools/call', params: { name: 'desktop_close_app', arguments: input, ...more } },
      { allowInputRequired: true },
    );
  const question = await close(ann.desk, { app });
  const { requestState } = z.object({ requestState: z.string() }).parse(question);
  const pid = String(second.fixture.pid);
  const stolen = {
    requestState,
    inputResponses: { application: { action: 'accept', content: { app: pid } } },
  };
  await expect(close(bob.desk, { app }, stolen)).rejects.toMatchObject({
    code: -32_602,
    data: { reason: 'request_state_unknown' },
  });
  await expect(close(ann.desk, { app, force: true }, stolen)).rejects.toMatchObject({
    data: { reason: 'request_state_of_another_call' },
  });
  expect([first, second].map(({ fixture }) => isRunning(fixture.pid))).toEqual([true, true]);
  // The client that was asked may still answer.
  expect(await close(ann.desk, { app }, stolen)).not.toMatchObject({ isError: true });
  await expect(close(ann.desk, { app }, stolen)).rejects.toMatchObject({
    data: { reason: 'request_state_used' },
  });
  await expect.poll(() => isRunning(second.fixture.pid)).toBe(false);
  expect(isRunning(first.fixture.pid)).toBe(true);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
