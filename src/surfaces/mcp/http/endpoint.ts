import { refuse } from './answer.ts';

/** The endpoint of a path. */
export type Endpoint =
  | {
      readonly kind: 'mcp';
      readonly toolsets: readonly string[] | undefined;
      /** Folder of its own. */
      readonly folder: string | undefined;
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
  readonly folders?: readonly { readonly name: string; readonly folder: string }[] | undefined;
}

/** The endpoint of a request's target, or the refusal. */
export function endpointOf(
  target: string,
  method: string,
  { toolsets, isSseServed, folders = [] }: EndpointParts,
): Endpoint | Response {
  const [path = '', query = ''] = target.split('?', 2);
  const endpoint = endpointAt(path, query, { isSseServed, folders });
  if (endpoint === undefined)
    return refuse({ status: 404, message: `Nothing is served here. The endpoint is ${endpoints(folders)}.` });
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

type Folders = NonNullable<EndpointParts['folders']>;

function endpoints(folders: Folders): string {
  return [MCP, ...folders.map(({ name }) => `${MCP}/@${name}`)].join(' or ');
}

function endpointAt(
  path: string,
  query: string,
  { isSseServed, folders }: { readonly isSseServed: boolean; readonly folders: Folders },
): Endpoint | undefined {
  if (path === MCP || path.startsWith(`${MCP}/`)) return mcpEndpoint(path.slice(MCP.length + 1), folders);
  if (!isSseServed) return undefined;
  if (path === SSE) return { kind: 'sse' };
  if (path === MESSAGES)
    return { kind: 'messages', session: new URLSearchParams(query).get('sessionId') ?? '' };
  return undefined;
}

/** `@NAME`, toolsets, or both with a slash between them. */
function mcpEndpoint(path: string, folders: Folders): Endpoint | undefined {
  const text = decoded(path)?.replace(/\/$/, '');
  if (text === undefined) return undefined;
  const [, name, after = ''] = /^@([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  const named = name === undefined ? undefined : folders.find((each) => each.name === name.toLowerCase());
  if (name !== undefined && named === undefined) return undefined;
  const names = name === undefined ? text : after;
  const toolsets = names === '' ? undefined : [...new Set(names.split(','))].toSorted();
  const key = [
    ...(named === undefined ? [] : [`@${named.name}`]),
    ...(toolsets === undefined ? [] : [toolsets.join(',')]),
  ];
  return { kind: 'mcp', toolsets, folder: named?.folder, key: key.join('/') };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
