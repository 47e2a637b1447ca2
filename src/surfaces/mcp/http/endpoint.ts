import { refuse } from './answer.ts';

/** The endpoint of a path. */
export type Endpoint =
  | {
      readonly kind: 'mcp';
      readonly toolsets: readonly string[] | undefined;
      /** Folder of its own. */
      readonly scope: string | undefined;
      readonly key: string;
    }
  | { readonly kind: 'sse' }
  | { readonly kind: 'messages'; readonly session: string };

const METHODS: Readonly<Record<Endpoint['kind'], readonly string[]>> = {
  mcp: ['POST', 'GET', 'DELETE'],
  sse: ['GET'],
  messages: ['POST'],
};

export interface EndpointParts {
  readonly toolsets: readonly string[];
  readonly isSseServed: boolean;
  /** Folders that paths of their own work in. */
  readonly scopes?: readonly { readonly name: string; readonly folder: string }[] | undefined;
}

/** The endpoint of a request's target, or the refusal. */
export function endpointOf(
  target: string,
  method: string,
  { toolsets, isSseServed, scopes = [] }: EndpointParts,
): Endpoint | Response {
  const [path = '', query = ''] = target.split('?', 2);
  const endpoint = named(path, query, { isSseServed, scopes });
  if (endpoint === undefined)
    return refuse({ status: 404, message: `Nothing is served here. The endpoint is ${endpoints(scopes)}.` });
  const unknown =
    endpoint.kind === 'mcp' ? endpoint.toolsets?.find((name) => !toolsets.includes(name)) : undefined;
  if (unknown !== undefined) {
    const message = `This server has no toolset ${JSON.stringify(unknown.slice(0, 80))}. Available: ${toolsets.join(', ')}; a path is ${MCP} or ${MCP}/NAME,NAME.`;
    return refuse({ status: 404, message });
  }
  const allowed = METHODS[endpoint.kind];
  if (allowed.includes(method)) return endpoint;
  const message = `${method} is not allowed here. Use ${allowed.join(', ')}.`;
  return refuse({ status: 405, message, headers: { Allow: allowed.join(', ') } });
}

export const MCP = '/mcp';
export const SSE = '/sse';
export const MESSAGES = '/messages';

type Scopes = NonNullable<EndpointParts['scopes']>;

function endpoints(scopes: Scopes): string {
  return [MCP, ...scopes.map(({ name }) => `${MCP}/@${name}`)].join(' or ');
}

function named(
  path: string,
  query: string,
  { isSseServed, scopes }: { readonly isSseServed: boolean; readonly scopes: Scopes },
): Endpoint | undefined {
  if (path === MCP || path.startsWith(`${MCP}/`)) return mcpEndpoint(path.slice(MCP.length + 1), scopes);
  if (!isSseServed) return undefined;
  if (path === SSE) return { kind: 'sse' };
  if (path === MESSAGES)
    return { kind: 'messages', session: new URLSearchParams(query).get('sessionId') ?? '' };
  return undefined;
}

/** `@SCOPE`, toolsets, or both with a slash between them. */
function mcpEndpoint(path: string, scopes: Scopes): Endpoint | undefined {
  const text = decoded(path)?.replace(/\/$/, '');
  if (text === undefined) return undefined;
  const [, name, after = ''] = /^@([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  const scope = name === undefined ? undefined : scopes.find((each) => each.name === name.toLowerCase());
  if (name !== undefined && scope === undefined) return undefined;
  const names = name === undefined ? text : after;
  const toolsets = names === '' ? undefined : [...new Set(names.split(','))].toSorted();
  const key = [
    ...(scope === undefined ? [] : [`@${scope.name}`]),
    ...(toolsets === undefined ? [] : [toolsets.join(',')]),
  ];
  return { kind: 'mcp', toolsets, scope: scope?.folder, key: key.join('/') };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
