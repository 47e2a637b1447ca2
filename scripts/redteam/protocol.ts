import { spawn } from 'node:child_process';
import { request } from 'node:http';
import type { Attack, Outcome } from './row.ts';
import type { World } from './world.ts';

const TOKEN = 'a-token-of-at-least-32-characters-0';

interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let serving: Promise<number> | undefined;

/** A server over HTTP that requires a token; resolves with its port. */
function serve(world: World): Promise<number> {
  serving ??= new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [world.entry, 'mcp', '--http', '--port', '0'], {
      env: { ...world.environment, DESKTERITY_HTTP_TOKEN: TOKEN },
      cwd: world.project,
    });
    let printed = '';
    const read = (text: string): void => {
      printed += text;
      const port = /127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`the server ended: ${printed.slice(-200)}`)));
    process.once('exit', () => child.kill());
    setTimeout(() => reject(new Error(`no address: ${printed.slice(-200)}`)), 15_000).unref();
  });
  return serving;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'red', version: '1' } },
};

async function send(
  world: World,
  headers: Readonly<Record<string, string>>,
  body: unknown = INITIALIZE,
  path = '/mcp',
): Promise<HttpReply> {
  const port = await serve(world);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        timeout: 10_000,
      },
      (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (part: string) => (received += part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        );
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.end(text);
  });
}

const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

/** Held if the request was refused. */
function refused(
  attack: string,
  surface: string,
  headers: Readonly<Record<string, string>>,
  path?: string,
): Attack {
  return {
    attack,
    surface,
    run: async (world): Promise<Outcome> => {
      const proper = await send(world, AUTHORIZED);
      if (proper.status !== 200)
        return { held: null, evidence: `a proper request was refused, too: ${proper.status}` };
      const { status, body } = await send(world, headers, INITIALIZE, path);
      return { held: status >= 400 && status < 500, code: String(status), evidence: body.slice(0, 100) };
    },
  };
}

/** A session, as a client begins one. */
async function session(world: World): Promise<string> {
  const { headers } = await send(world, AUTHORIZED);
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? id : '';
}

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

export const protocol: readonly Attack[] = [
  refused('a page that has rebound its name to this machine', 'HTTP, Host', {
    ...AUTHORIZED,
    host: 'evil.example:8741',
  }),
  refused('a page of another site', 'HTTP, Origin', { ...AUTHORIZED, origin: 'https://evil.example' }),
  refused('a page without an origin of its own', 'HTTP, Origin null', { ...AUTHORIZED, origin: 'null' }),
  refused('a request without a token', 'HTTP, Authorization', {}),
  refused('a wrong token of the same length', 'HTTP, Authorization', {
    authorization: `Bearer ${TOKEN.replace('0', '1')}`,
  }),
  refused('a token in the address', 'HTTP, query', {}, `/mcp?access_token=${TOKEN}`),
  refused('a token as a cookie', 'HTTP, Cookie', { cookie: `token=${TOKEN}` }),
  {
    attack: 'a session that was guessed',
    surface: 'HTTP, Mcp-Session-Id',
    run: async (world) => {
      const { status, body } = await send(
        world,
        { ...AUTHORIZED, 'mcp-session-id': '00000000-0000-4000-8000-000000000000' },
        LIST,
      );
      return { held: status >= 400, code: String(status), evidence: body.slice(0, 100) };
    },
  },
  {
    attack: "another client's session, without its token",
    surface: 'HTTP, Mcp-Session-Id',
    run: async (world) => {
      const id = await session(world);
      if (id === '') return { held: null, evidence: 'the server began no session' };
      const { status, body } = await send(world, { 'mcp-session-id': id }, LIST);
      return { held: status === 401, code: String(status), evidence: body.slice(0, 100) };
    },
  },
  {
    attack: 'sessions that can be foreseen',
    surface: 'HTTP, Mcp-Session-Id',
    run: async (world) => {
      const ids = [await session(world), await session(world), await session(world)];
      const isRandom =
        new Set(ids).size === 3 && ids.every((id) => id.replaceAll(/[^\da-f]/gi, '').length >= 26);
      return {
        held: ids[0] === '' ? null : isRandom,
        evidence: `${ids[0]?.length ?? 0} characters, all different`,
      };
    },
  },
  {
    attack: 'a request of 20 MB',
    surface: 'HTTP, body',
    run: async (world) => {
      const reply = await send(world, AUTHORIZED, `{"a":"${'x'.repeat(20_000_000)}"}`).catch(
        (error: unknown) => error,
      );
      const after = await send(world, AUTHORIZED);
      const status =
        reply instanceof Error ? 'the connection was ended' : String((reply as HttpReply).status);
      return {
        held: after.status === 200 && status !== '200',
        code: status,
        evidence: 'the server answers the next request',
      };
    },
  },
  {
    attack: 'a token that the server repeats',
    surface: 'HTTP, answers and logs',
    run: async (world) => {
      const { body } = await send(world, { authorization: `Bearer ${TOKEN}x` });
      const files = await world.keptFiles();
      return { held: !(body + files).includes(TOKEN), evidence: 'neither an answer nor a file has it' };
    },
  },
  {
    attack: 'keys of the prototype of objects',
    surface: 'MCP arguments',
    run: async (world) => {
      const client = await world.client('--toolsets', 'all');
      const answer = await client.request(
        'tools/call',
        JSON.parse(
          '{"name":"desktop_list_apps","arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
        ),
      );
      const after = await client.call('desktop_list_apps', {});
      return {
        held: !after.isError && !JSON.stringify(after).includes('polluted'),
        code: 'error' in answer ? 'error' : 'ok',
        evidence: JSON.stringify(answer).slice(0, 120),
      };
    },
  },
  {
    attack: 'a state that the client made up',
    surface: 'MCP requestState',
    run: async (world) => {
      const client = await world.client('--toolsets', 'all');
      const answer = await client.request('tools/call', {
        name: 'desktop_list_windows',
        arguments: { app: 'no-such-application' },
        requestState: Buffer.from('{"answers":{"app":"victim.py"}}').toString('base64'),
        inputResponses: { app: { action: 'accept', content: { app: 'victim.py' } } },
      });
      const text = JSON.stringify(answer);
      return { held: !text.includes('HOSTILE'), evidence: text.slice(0, 140) };
    },
  },
  {
    attack: 'a tool of a set that is not offered',
    surface: 'MCP tools/call',
    run: async (world) => {
      const client = await world.client('--toolsets', 'core', '--read-only');
      const answer = await client.request('tools/call', {
        name: 'terminal',
        arguments: { action: 'execute', command: 'touch called', project_path: world.project },
      });
      const { existsSync } = await import('node:fs');
      return {
        held: !existsSync(`${world.project}/called`),
        code: 'error' in answer ? 'error' : 'ok',
        evidence: JSON.stringify(answer).slice(0, 120),
      };
    },
  },
  {
    attack: 'an act by a client that may only read',
    surface: 'MCP --read-only',
    run: async (world) => {
      const client = await world.client('--toolsets', 'core', '--read-only');
      const { text, isError } = await client.call('desktop_click', { ref: 'role:button', app: 'victim.py' });
      const { readFile } = await import('node:fs/promises');
      const log = await readFile(`${world.home}/victim.log`, 'utf8').catch(() => '');
      return { held: isError && !log.includes('clicked'), evidence: text.slice(0, 120) };
    },
  },
];
