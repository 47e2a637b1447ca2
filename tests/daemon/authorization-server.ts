import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Longest chain of redirects of a sign-in. */
const MOST_STEPS = 12;
export const CALLBACK = 'http://127.0.0.1:1/callback';

/** A certified authorization server, which signs in whoever asks: `oidc-provider` with two public clients. */
export class AuthorizationServer {
  url = '';
  private readonly server: Server;

  constructor() {
    this.server = createServer();
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = this.server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    const provider = new Provider(this.url, {
      clients: ['agent', 'other'].map((client) => ({
        client_id: client,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [CALLBACK],
      })),
      features: {
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_context: unknown, resource: string) => ({
            audience: resource,
            scope: 'read act admin',
            accessTokenFormat: 'jwt',
            accessTokenTTL: 300,
          }),
        },
      },
    });
    this.server.on('request', provider.callback());
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What a browser does with the URL of an authorization request, and its user: signs in and agrees. Returns what the client is told. */
  async signIn(start: URL, user: string): Promise<URLSearchParams> {
    const cookies = new Map<string, string>();
    let next: { readonly url: URL; readonly form?: URLSearchParams } = { url: start };
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (next.url.href.startsWith(CALLBACK)) return next.url.searchParams;
      const { url, form } = next;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie },
        ...(form === undefined ? {} : { method: 'POST', body: form }),
      });
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      next = location === null ? formIn(await response.text(), user) : { url: new URL(location, url) };
    }
    throw new Error(`no end of the sign-in at ${next.url.pathname}`);
  }
}

/** The filled-in form of a page that asks for a name or for consent. */
function formIn(page: string, user: string): { readonly url: URL; readonly form: URLSearchParams } {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
  if (action === undefined || prompt === undefined) throw new Error(`not a form: ${page.slice(0, 500)}`);
  return { url: new URL(action), form: new URLSearchParams({ prompt, login: user, password: 'any' }) };
}
