/** A minimal server built with the protocol library alone; `bench mcp` compares ours with it. */
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new Server({ name: 'alone', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
  }));
  return server;
});
