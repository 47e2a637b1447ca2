/** The HTTP+SSE transport of 2024-11-05: the only file that imports its library. */
export { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
