import type { Unwatch } from '../connections/connection.ts';
import { endWatch } from '../connections/listen-watches.ts';
import { ITEMS_PER_PAGE, paginate } from './paginate.ts';
import { channelOf, forClient, withQuestions, type Served } from './served.ts';

export function serveResources(served: Served): void {
  const { server, connection, era } = served;
  const { resources, prepare } = connection;
  const watches = new Map<string, Promise<Unwatch>>();
  let list: Promise<Unwatch> | undefined;
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    await prepare?.(context);
    const { signal } = context.mcpReq;
    const all = await forClient(served, context, () => resources.list({ signal }));
    const { items, ...rest } = paginate(all, params?.cursor, ITEMS_PER_PAGE);
    // A client that has a list needs to know when it changes; modern clients subscribe explicitly.
    if (era === 'legacy' && list === undefined) {
      list = resources.watchList(() => void server.sendResourceListChanged().catch(() => undefined));
      // Nobody waits for it; the next request tries again.
      list.catch(() => (list = undefined));
    }
    return { resources: items, ...rest };
  });
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    const { items, ...rest } = paginate(resources.templates, params?.cursor, ITEMS_PER_PAGE);
    return { resourceTemplates: items, ...rest };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    await prepare?.(context);
    const channel = channelOf(context, served);
    return withQuestions(served, { channel, name: uri, input: {} }, (asking) => resources.read(uri, asking));
  });
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    await prepare?.(context);
    const known = watches.get(uri);
    const report = (): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
    const watch = known ?? forClient(served, context, () => resources.watch(uri, report));
    watches.set(uri, watch);
    try {
      await watch;
    } catch (error) {
      if (watches.get(uri) === watch) watches.delete(uri);
      throw error;
    }
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    const watch = watches.get(uri);
    if (watch !== undefined) endWatch(watch);
    watches.delete(uri);
    return {};
  });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    for (const watch of watches.values()) endWatch(watch);
    watches.clear();
    if (list !== undefined) endWatch(list);
    list = undefined;
  };
}
