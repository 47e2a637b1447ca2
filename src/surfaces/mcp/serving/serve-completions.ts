import type { CompletionRequest } from '../connections/connection.ts';
import { forClient, type Served } from './served.ts';

/** Limit of the protocol. */
const MOST_COMPLETIONS = 100;

export function serveCompletions(served: Served): void {
  const { server, connection } = served;
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument, context: known } = params;
    const request: CompletionRequest = {
      of:
        ref.type === 'ref/prompt'
          ? { kind: 'prompt', name: ref.name }
          : { kind: 'resource', uriTemplate: ref.uri },
      argument,
      known: known?.arguments ?? {},
      signal: context.mcpReq.signal,
    };
    const all = await forClient(served, context, () => connection.complete(request));
    const values = all.slice(0, MOST_COMPLETIONS);
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}
