import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createFixture } from '../../../fixtures/mcp-server/server.mjs';

export interface AuthorizationOptions {
  /** The issuer that its metadata names, if it lies. */
  readonly issuer?: string;
  /** The issuer that the callback names, if it lies. */
  readonly callbackIssuer?: string;
  /** The page to sign in, if it is elsewhere. */
  readonly page?: string;
  /** The page presses its link by itself, as a person would. */
  readonly pressesLink?: boolean;
  /** Answers of the token endpoint take this long. */
  tokenDelayMs?: number;
  /** The token endpoint answers this instead of a token. */
  tokenAnswer?: { readonly status: number; readonly body: string; readonly location?: string } | undefined;
  /** The MCP server repeats the token in its answers. */
  readonly repeats?: boolean;
  /** Access tokens end with this. */
  readonly tokenEnd?: string;
  /** Scopes that it does not know. */
  readonly unknownScope?: string;
  /** A call of a tool needs this scope, too. */
  readonly callScope?: string;
  /** The callback names no issuer. */
  readonly hidesIssuer?: boolean;
}

export interface AuthorizationServer {
  readonly url: string;
  /** What was asked of it, in order: paths, and grants of `/token`. */
  readonly asked: string[];
  readonly registered: Record<string, unknown>[];
  /** Tokens that are accepted now. */
  readonly valid: Set<string>;
  close(): Promise<void>;
}

/** An MCP server over HTTP that demands a token, and the authorization server that gives it: one origin on loopback. Refresh tokens are valid once. */
export async function openAuthorizationServer(
  options: AuthorizationOptions = {},
): Promise<AuthorizationServer> {
  const asked: string[] = [];
  const registered: Record<string, unknown>[] = [];
  const valid = new Set<string>();
  const scopes = new Map<string, string>();
  const refresh = new Set<string>();
  const codes = new Map<
    string,
    { readonly challenge: string; readonly redirect: string; readonly scope: string }
  >();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const json = (response: ServerResponse, value: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const issue = (response: ServerResponse, scope = 'read'): void => {
    const [token, again] = [
      `${randomBytes(12).toString('hex')}${options.tokenEnd ?? ''}`,
      randomBytes(12).toString('hex'),
    ];
    valid.add(token);
    scopes.set(token, scope);
    refresh.add(again);
    json(response, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: again,
      scope,
    });
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '', url);
    const body = await bodyOf(request);
    switch (pathname) {
      case '/mcp':
        return mcp(request, response, body);
      case '/.well-known/oauth-protected-resource/mcp':
        asked.push('resource');
        return json(response, {
          resource: `${url}/mcp`,
          authorization_servers: [url],
          scopes_supported: ['read'],
        });
      case '/.well-known/oauth-authorization-server':
        asked.push('metadata');
        return json(response, {
          issuer: options.issuer ?? url,
          authorization_endpoint: options.page ?? `${url}/authorize`,
          token_endpoint: `${url}/token`,
          registration_endpoint: `${url}/register`,
          revocation_endpoint: `${url}/revoke`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/register': {
        asked.push('register');
        const client: Record<string, unknown> = {
          ...JSON.parse(body),
          client_id: `client-${registered.length}`,
        };
        registered.push(client);
        return json(response, client, 201);
      }
      case '/authorize': {
        asked.push('authorize');
        if (query.get('code_challenge_method') !== 'S256') return json(response, { error: 'no PKCE' }, 400);
        const redirect = query.get('redirect_uri') ?? '';
        if (
          query
            .get('scope')
            ?.split(' ')
            .includes(options.unknownScope ?? '') === true
        ) {
          const refusal = new URLSearchParams({ error: 'invalid_scope', state: query.get('state') ?? '' });
          response.writeHead(200, { 'content-type': 'text/html' });
          response.end(`<a href="${redirect}?${refusal.toString().replaceAll('&', '&amp;')}">Back</a>`);
          return;
        }
        const code = randomBytes(8).toString('hex');
        const scope = query.get('scope') ?? '';
        codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect, scope });
        const back = new URL(redirect);
        back.searchParams.set('code', code);
        back.searchParams.set('state', query.get('state') ?? '');
        if (options.hidesIssuer !== true) back.searchParams.set('iss', options.callbackIssuer ?? url);
        const page = `<!doctype html><title>Sign in</title><p>Allow Deskterity?</p><a id="allow" href="${back.href.replaceAll('&', '&amp;')}">Allow</a>${options.pressesLink === true ? '<script>addEventListener("load", () => allow.click())</script>' : ''}`;
        response.writeHead(200, { 'content-type': 'text/html' }).end(page);
        return;
      }
      case '/token': {
        const form = new URLSearchParams(body);
        const grant = form.get('grant_type') ?? '';
        asked.push(grant);
        if (options.tokenDelayMs !== undefined)
          await new Promise((resolve) => setTimeout(resolve, options.tokenDelayMs));
        if (options.tokenAnswer !== undefined) {
          const { status, body: said, location } = options.tokenAnswer;
          response
            .writeHead(status, { 'content-type': 'text/html', ...(location && { location }) })
            .end(said);
          return;
        }
        if (grant === 'refresh_token') {
          const isKnown = refresh.delete(form.get('refresh_token') ?? '');
          return isKnown ? issue(response) : json(response, { error: 'invalid_grant' }, 400);
        }
        const known = codes.get(form.get('code') ?? '');
        codes.delete(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const isRight = known?.challenge === challenge && known.redirect === form.get('redirect_uri');
        return isRight ? issue(response, known.scope) : json(response, { error: 'invalid_grant' }, 400);
      }
      case '/revoke':
        asked.push('revoke');
        refresh.delete(new URLSearchParams(body).get('token') ?? '');
        response.writeHead(200).end();
        return;
      default:
        response.writeHead(404).end();
    }
  }

  function mcp(request: IncomingMessage, response: ServerResponse, body: string): void {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const metadata = `${url}/.well-known/oauth-protected-resource/mcp`;
    if (!valid.has(token)) {
      asked.push('refused');
      response
        .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="read"` })
        .end();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message: { id?: unknown; method?: string } = JSON.parse(body);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const { callScope } = options;
    const given = scopes.get(token)?.split(' ') ?? [];
    if (message.method === 'tools/call' && callScope !== undefined && !given.includes(callScope)) {
      asked.push('forbidden');
      const challenge = `Bearer error="insufficient_scope", resource_metadata="${metadata}", scope="${callScope}"`;
      response.writeHead(403, { 'www-authenticate': challenge }).end();
      return;
    }
    createFixture({
      options: options.repeats === true ? ['--secret', [...valid, ...refresh].join(' and ')] : [],
      log: () => undefined,
      send: (reply: unknown) => json(response, reply),
    }).received(message);
  }

  return {
    url,
    asked,
    registered,
    valid,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** What a person does in the browser: opens the page and allows it. @returns the answer of the last page */
export async function allow(address: string): Promise<{ readonly status: number; readonly text: string }> {
  const page = await (await fetch(address)).text();
  const link = /href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const back = await fetch(link);
  return { status: back.status, text: await back.text() };
}
