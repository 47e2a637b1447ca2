import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { OAuthDiscoveryState, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { simulatedPlatform } from '../simulated/simulated-build.ts';
import { AuthorizationServer, CALLBACK } from './authorization-server.ts';
import { PipedDesk } from './mcp-support.ts';
import { useLab } from './support.ts';
import { until } from '../until.ts';

// The built program, a real authorization server, and the official client.

const lab = useLab({ plugins: [simulatedPlatform], isShared: true });
const server = new AuthorizationServer();
beforeAll(async () => {
  // The authorization server warns that it is one for tests.
  for (const method of ['info', 'warn'] as const) vi.spyOn(console, method).mockReturnValue(undefined);
  await server.start();
});
afterAll(() => server.close());

const Serving = z.looseObject({ url: z.string() });

async function serve(changes: NodeJS.ProcessEnv = {}) {
  const environment = { DESKTERITY_MCP_OAUTH_ISSUER: server.url, ...changes };
  const desk = new PipedDesk(lab().spawn(['mcp', '--http', '--port', '0'], environment));
  await until(() => desk.stdout.endsWith('\n') || desk.exitCode !== undefined, 'it serves', 20_000);
  return { desk, url: Serving.parse(JSON.parse(desk.stdout)).url };
}

/** An agent with the memory and the browser of its user. */
class Agent {
  readonly tokens: string[] = [];
  /** Scopes that its user was asked for. */
  readonly asked: (string | null)[] = [];
  private readonly url: string;
  private readonly user: string;
  private readonly clientId: string;
  private saved: StoredOAuthTokens | undefined;
  private discovered: OAuthDiscoveryState | undefined;
  private verifier = '';
  private redirected: URL | undefined;

  constructor(url: string, user: string, clientId = 'agent') {
    this.url = url;
    this.user = user;
    this.clientId = clientId;
  }

  async connect(mode: 'legacy' | 'modern'): Promise<Client> {
    const first = this.transport();
    const refused: unknown = await this.client(mode)
      .connect(first)
      .catch((error: unknown) => error);
    if (!(refused instanceof UnauthorizedError)) throw new Error('not refused', { cause: refused });
    await this.finish(first);
    const client = this.client(mode);
    await client.connect(this.transport());
    return client;
  }

  /** Signs in where the last request for permission led to. */
  async finish(transport: StreamableHTTPClientTransport): Promise<void> {
    const { redirected } = this;
    if (redirected === undefined) throw new Error('the user was asked for nothing');
    this.asked.push(redirected.searchParams.get('scope'));
    await transport.finishAuth(await server.signIn(redirected, this.user));
  }

  transport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(new URL(this.url), {
      authProvider: {
        redirectUrl: CALLBACK,
        clientMetadata: { redirect_uris: [CALLBACK], client_name: 'test' },
        clientInformation: () => ({ client_id: this.clientId }),
        tokens: () => this.saved,
        saveTokens: (tokens) => {
          this.saved = tokens;
          this.tokens.push(tokens.access_token);
        },
        saveCodeVerifier: (verifier) => void (this.verifier = verifier),
        codeVerifier: () => this.verifier,
        saveDiscoveryState: (state) => void (this.discovered = state),
        discoveryState: () => this.discovered,
        redirectToAuthorization: (url) => void (this.redirected = url),
      },
    });
  }

  private client(mode: 'legacy' | 'modern'): Client {
    return new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: mode === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
    );
  }
}

/** Everything that the program has written: logs, sessions, what else. */
function written(): string {
  const home = join(lab().folder, 'home');
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (mode) => {
  it('signs in, reads, is asked for more where it acts, and leaves its token nowhere', async () => {
    const { desk, url } = await serve();
    const agent = new Agent(url, 'ada');
    const client = await agent.connect(mode);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(expect.arrayContaining(['desktop_snapshot', 'desktop_find']));
    expect(await names()).not.toContain('desktop_set_value');
    expect((await client.callTool({ name: 'desktop_list_apps' })).content).toEqual([
      { type: 'text', text: expect.stringContaining('Fixture') },
    ]);
    const locator = 'window:"Simulated fixture" >> role:slider[name="Volume"]';
    const act = () => client.callTool({ name: 'desktop_set_value', arguments: { ref: locator, value: '7' } });
    await expect(act()).rejects.toBeInstanceOf(UnauthorizedError);
    await agent.finish(agent.transport());
    expect(await act()).toMatchObject({ content: [{ text: expect.stringContaining('confirmed') }] });
    expect(await names()).toContain('desktop_set_value');
    expect(agent.asked).toEqual(['read', expect.stringContaining('act')]);
    await client.close();
    desk.child.kill('SIGINT');
    const ran = await desk.ended();
    const all = written() + ran.stdout + ran.stderr;
    for (const token of agent.tokens) expect(all).not.toContain(token.split('.')[2]);
    expect(agent.tokens.length).toBeGreaterThanOrEqual(2);
  });
});

it('sessions belong to their user and client', async () => {
  const { desk, url } = await serve();
  const ada = await new Agent(url, 'ada').connect('modern');
  const call = (client: Client, session: string) =>
    client.callTool({ name: 'desktop_list_apps', arguments: { session } });
  expect(JSON.stringify(await call(ada, 'default'))).toContain('UNAUTHORIZED');
  await ada.close();
  desk.child.kill('SIGINT');
  await desk.ended();
});

it('a setting that is not safe is refused before anything is served', async () => {
  for (const [issuer, token] of [
    ['http://login.example', undefined],
    [server.url, 'secret'],
  ])
    expect(
      await lab().desk(['mcp', '--http', '--port', '0'], {
        DESKTERITY_MCP_OAUTH_ISSUER: issuer,
        DESKTERITY_HTTP_TOKEN: token,
      }),
    ).toMatchObject({ exitCode: 5, stdout: expect.stringMatching(/mcp\.oauth_issuer/) });
});
