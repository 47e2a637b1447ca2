import { refuse } from './answer.ts';

/** The endpoint of a path. */
export type Endpoint =
  | { readonly kind: 'mcp'; readonly toolsets: readonly string[] | undefined; readonly key: string }
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
}

/** The endpoint of a request's target, or the refusal. */
export function endpointOf(
  target: string,
  method: string,
  { toolsets, isSseServed }: EndpointParts,
): Endpoint | Response {
  const [path = '', query = ''] = target.split('?', 2);
  const endpoint = named(path, query, isSseServed);
  if (endpoint === undefined)
    return refuse({ status: 404, message: `Nothing is served here. The endpoint is ${MCP}.` });
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

function named(path: string, query: string, isSseServed: boolean): Endpoint | undefined {
  if (path === MCP || path === `${MCP}/`) return { kind: 'mcp', toolsets: undefined, key: '' };
  if (path.startsWith(`${MCP}/`)) {
    const names = decoded(path.slice(MCP.length + 1));
    if (names === undefined) return undefined;
    const toolsets = [...new Set(names.replace(/\/$/, '').split(','))].toSorted();
    return { kind: 'mcp', toolsets, key: toolsets.join(',') };
  }
  if (!isSseServed) return undefined;
  if (path === SSE) return { kind: 'sse' };
  if (path === MESSAGES)
    return { kind: 'messages', session: new URLSearchParams(query).get('sessionId') ?? '' };
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
