/** Between the name of another MCP server and that of its tool, in our lists. */
export const SERVER_SEPARATOR = '__';

/** The server of a tool, by the name in our list. */
export function serverOfTool(name: string): string | undefined {
  const [server, ...rest] = name.split(SERVER_SEPARATOR);
  return rest.length === 0 || server === '' ? undefined : server;
}
