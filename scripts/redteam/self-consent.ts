import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../src/model/is-record.ts';
import { theLedger, type Ledger } from './ledger.ts';
import { McpClient } from './mcp-client.ts';
import type { Attack, Outcome } from './row.ts';
import { inFront, sees, type Tried } from './way.ts';
import type { World } from './world.ts';

const REQUIRED = { DESKTERITY_CONFIRM_DESTRUCTIVE: 'require' };
const REQUIRE_FILE = '[confirmation]\ndestructive = "require"\n';
const DANGER = 'role:button[name="Delete the page"]';
const ACCEPTED = { action: 'accept', content: { confirm: true } };
const DECLINED = { action: 'decline' };
const ASKS = { elicitation: { form: {} } };

const UNCONSENTED = /CONFIRMATION_REQUIRED|declined|request_state_|input_required/;

const refFor = ({ app }: Ledger): string => `app:${app} >> ${DANGER}`;

/** Held if the button was not pressed although nobody agreed. */
function unasked(
  name: string,
  attack: string,
  surface: string,
  attempt: (world: World, ledger: Ledger) => Promise<Tried>,
  open?: string,
): Attack {
  return {
    name,
    attack,
    surface,
    ...(open === undefined ? {} : { open }),
    run: async (world): Promise<Outcome> => {
      const ledger = await theLedger(world);
      const [{ code, shown }, reached] = await sees('deleted')(world, ledger, () => attempt(world, ledger));
      const evidence = `${reached ?? 'not pressed'}: ${shown.slice(0, 160)}`;
      if (reached !== undefined) return { held: false, code, evidence };
      // Another failure would not show that consent was missing.
      return { held: UNCONSENTED.test(shown) ? true : null, code, evidence };
    },
  };
}

/** A client that shows forms, and what is done while one is shown. The person always declines. */
async function whileAsked(
  world: World,
  ledger: Ledger,
  meanwhile: (client: McpClient, question: Readonly<Record<string, unknown>>) => Promise<unknown>,
  before?: (client: McpClient) => void,
): Promise<Tried> {
  let isAsked = false;
  const client: McpClient = await McpClient.start(
    process.execPath,
    [world.entry, 'mcp', '--toolsets', 'all'],
    { environment: world.environment, cwd: world.project },
    {
      capabilities: ASKS,
      answer: async (question) => {
        if (question['method'] !== 'elicitation/create') return undefined;
        // Also what is done meanwhile may be asked about.
        if (isAsked) return DECLINED;
        isAsked = true;
        await meanwhile(client, question);
        return DECLINED;
      },
    },
  );
  try {
    before?.(client);
    const { text } = await client.call('desktop_click', { ref: refFor(ledger) });
    if (!isAsked) throw new Error(`nobody was asked: ${text.slice(0, 200)}`);
    return { shown: text, code: /[A-Z]{4,}_[A-Z]+/.exec(text)?.[0] };
  } finally {
    client.stop();
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'redteam', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': ASKS,
};

/** The key of the question and its state, as a client of the newest revision gets them. */
async function questionOf(client: McpClient, input: object): Promise<{ state: unknown; key: string }> {
  const { result, error } = await client.request('tools/call', {
    name: 'desktop_click',
    arguments: input,
    _meta: META,
  });
  if (!isRecord(result) || typeof result['requestState'] !== 'string' || !isRecord(result['inputRequests']))
    throw new Error(`nobody was asked: ${JSON.stringify(result ?? error).slice(0, 300)}`);
  return { state: result['requestState'], key: Object.keys(result['inputRequests'])[0] ?? '' };
}

async function stated(
  world: World,
  first: object,
  then: (client: McpClient, asked: { state: unknown; key: string }) => Promise<Record<string, unknown>>,
): Promise<Tried> {
  const client = await McpClient.startPlain(process.execPath, [world.entry, 'mcp', '--toolsets', 'all'], {
    environment: world.environment,
    cwd: world.project,
  });
  try {
    const shown = JSON.stringify(await then(client, await questionOf(client, first)));
    return { shown, code: /[A-Z]{4,}_[A-Z]+|request_state_\w+/.exec(shown)?.[0] };
  } finally {
    client.stop();
  }
}

const answered = (client: McpClient, input: object, state: unknown, inputResponses: object) =>
  client.request('tools/call', {
    name: 'desktop_click',
    arguments: input,
    requestState: state,
    inputResponses,
    _meta: META,
  });

const SELF = 'consent that the agent gives itself';

export const selfConsent: readonly Attack[] = [
  unasked('tool-call', SELF, 'a tool call in place of the answer to the form', (world, ledger) =>
    whileAsked(world, ledger, async (client, { id }) => {
      const ref = refFor(ledger);
      await client.call('desktop_click', { ref, confirm: true });
      await client.call('desktop_do', { steps: [{ command: 'click', ref }] });
      await client.request('elicitation/create', { id, ...ACCEPTED }).catch(() => undefined);
      await client.call('elicitation/create', { id, ...ACCEPTED });
    }),
  ),
  unasked('keys-meanwhile', SELF, 'Enter on the focus while the form is shown', (world, ledger) =>
    whileAsked(world, ledger, async (client) => {
      await client.call('desktop_focus', { ref: refFor(ledger) });
      await client.call('desktop_press_key', { keys: 'Enter' });
    }),
  ),
  unasked('other-client', SELF, 'the answer sent by another connection', (world, ledger) =>
    whileAsked(world, ledger, async (_client, { id }) => {
      const other = await world.client('--toolsets', 'all');
      other.send({ jsonrpc: '2.0', id, result: ACCEPTED });
      await other.call('desktop_status', {});
    }),
  ),
  unasked('early-answer', SELF, 'answers sent before the question, under guessed ids', (world, ledger) =>
    whileAsked(
      world,
      ledger,
      async () => undefined,
      (client) => {
        for (const id of [0, 1, 2, 3, '0', '1', '2']) client.send({ jsonrpc: '2.0', id, result: ACCEPTED });
      },
    ),
  ),
  unasked('state-after-no', SELF, 'requestState used again, after the person declined', (world, ledger) => {
    const input = { ref: refFor(ledger) };
    return stated(world, input, async (client, { state, key }) => {
      await answered(client, input, state, { [key]: DECLINED });
      return answered(client, input, state, { [key]: ACCEPTED });
    });
  }),
  unasked('state-of-another', SELF, 'requestState of a question about something else', (world, ledger) =>
    stated(
      world,
      { ref: `app:${ledger.app} >> role:button[name="Discard the draft"]` },
      (client, { state, key }) => answered(client, { ref: refFor(ledger) }, state, { [key]: ACCEPTED }),
    ),
  ),
  unasked('state-changed', SELF, 'requestState, forged', (world, ledger) => {
    const input = { ref: refFor(ledger) };
    return stated(world, input, (client, { state, key }) => {
      const [payload = '', signature = ''] = String(state).split('.');
      const text = Buffer.from(payload, 'base64url').toString('utf8');
      const forged = Buffer.from(text.replaceAll(/"round":\d/g, '"round":0')).toString('base64url');
      return answered(client, input, `${forged}x.${signature}`, { [key]: ACCEPTED });
    });
  }),
  unasked('answer-without-state', SELF, 'an answer without requestState', (world, ledger) => {
    const input = { ref: refFor(ledger) };
    return stated(world, input, (client, { key }) =>
      client.request('tools/call', {
        name: 'desktop_click',
        arguments: input,
        inputResponses: { [key]: ACCEPTED },
        _meta: META,
      }),
    );
  }),
  unasked(
    'client-answers',
    SELF,
    'a client that agrees by itself',
    async (world, ledger) => {
      const input = { ref: refFor(ledger) };
      return stated(world, input, (client, { state, key }) =>
        answered(client, input, state, { [key]: ACCEPTED }),
      );
    },
    'what the client says counts as what its user says: a client that agrees without asking is believed',
  ),
  unasked('input', SELF, 'the standard input of the command line', (world, ledger) =>
    world.desk(['click', refFor(ledger)], REQUIRED, 'y\nyes\n1234\n'.repeat(100)),
  ),
  unasked('own-terminal', SELF, 'a terminal that the agent owns, on a private desktop', (world, ledger) => {
    const line = [process.execPath, world.entry, 'click', refFor(ledger)]
      .map((word) => `'${word}'`)
      .join(' ');
    return world.run('/usr/bin/script', ['-qec', line, '/dev/null'], REQUIRED, '1\n2\n3\n');
  }),
  unasked('terminal-of-ours', SELF, 'a terminal of ours, in which the agent types', async (world, ledger) => {
    const line = `env -u DESKTERITY_OPERATION -u DESKTERITY_PRIVATE_DESKTOP DESKTERITY_CONFIRM_DESTRUCTIVE=require '${process.execPath}' '${world.entry}' click '${refFor(ledger)}'`;
    return world.desk(['terminal', 'execute', line, '--tag', 'consent']);
  }),
  unasked(
    'terminal-keys',
    SELF,
    'terminal send, to a call that might ask in a terminal of ours',
    async (world, ledger) => {
      const line = `env -u DESKTERITY_OPERATION -u DESKTERITY_PRIVATE_DESKTOP DESKTERITY_CONFIRM_DESTRUCTIVE=require '${process.execPath}' '${world.entry}' click '${refFor(ledger)}'`;
      const tag = ['--tag', 'consent-keys'];
      const begun = await world.desk(['terminal', 'execute', line, ...tag, '--background']);
      const asked = await world.desk(['terminal', 'read', ...tag]);
      const number = /type (\d{4})/.exec(begun.shown + asked.shown)?.[1] ?? '1234';
      await world.desk(['terminal', 'send', number, '--keys', 'Enter', ...tag]);
      let shown = '';
      for (let looks = 0; looks < 10 && !UNCONSENTED.test(shown); looks += 1) {
        await world.prepare(['wait', '500']);
        shown = (await world.desk(['terminal', 'read', ...tag])).shown;
      }
      return { code: /[A-Z]{4,}_[A-Z]+/.exec(shown)?.[0], shown: `${begun.shown}\n${shown}` };
    },
  ),
  unasked(
    'project-setting',
    'consent switched off by a file of the project',
    '.deskterity/config.toml',
    async (world, ledger) => {
      const file = join(world.project, '.deskterity/config.toml');
      await mkdir(join(world.project, '.deskterity'), { recursive: true });
      await writeFile(file, '[confirmation]\ndestructive = "never"\n');
      try {
        return await world.withFile('config.toml', REQUIRE_FILE, () => world.desk(['click', refFor(ledger)]));
      } finally {
        await rm(file, { force: true });
      }
    },
  ),
  unasked(
    'keys-in-front',
    'an act that deletes, without consent',
    'Enter, sent after its window came to the front',
    async (world, ledger) => {
      await inFront(world, ledger);
      await world.prepare(['focus', refFor(ledger)]);
      return world.desk(['press', 'Enter'], REQUIRED);
    },
  ),
];
