import { dirname } from 'node:path';
import { within } from '../model/within.ts';
import type { CommandDefinition } from '../registry/define.ts';
import { serverToolCommand } from './server-tool-command.ts';
import type { ServersCaller, UpstreamParts } from './upstream-parts.ts';
import type { UpstreamServers } from './upstream-servers.ts';

/** A client that asks once for the list of tools gets those of servers that answer in this time; others follow as a change. */
const FIRST_LIST_MS = 1000;
const SETTLE_MS = 250;

/** The tools of other servers that one client is offered. */
export interface OfferedServers {
  /** The same list as long as nothing has changed. */
  readonly definitions: readonly CommandDefinition[];
  /** Calls `onChange` when {@link definitions} has changed. @returns ends the watch */
  watch(onChange: () => void): () => void;
}

export interface OfferParts extends Pick<UpstreamParts, 'clock' | 'folders'> {
  /** Folders in which a change may change {@link ServersCaller.refusalOf}, and what reads it anew. */
  readonly policy?:
    | { readonly folders: readonly string[]; readonly refresh: () => Promise<void> }
    | undefined;
}

/** Starts the servers that a caller may use, and follows their lists and files. */
export async function offerServers(
  servers: UpstreamServers,
  of: ServersCaller,
  parts: OfferParts,
): Promise<OfferedServers> {
  const { policy } = parts;
  let usable = servers.usable(of, await servers.find(of));
  let made: { readonly key: string; readonly definitions: readonly CommandDefinition[] } | undefined;
  const start = (): Promise<unknown> =>
    // A server that is not available reports why when it is called.
    Promise.all(usable.map(({ server }) => server.tools().catch(() => undefined)));
  const awaited = usable.filter(({ server }) => server.known === undefined && !server.isLate(FIRST_LIST_MS));
  // One that is late already delays nobody again.
  void start();
  if (awaited.length > 0) {
    const first = Promise.all(awaited.map(({ server }) => server.tools().catch(() => undefined)));
    await within(parts.clock, first, FIRST_LIST_MS);
  }
  const definitions = (): readonly CommandDefinition[] => {
    const tools = usable.flatMap(({ server, target }) =>
      (server.known?.tools ?? []).map((facts) => ({ facts, timeoutMs: target.timeoutMs })),
    );
    const key = JSON.stringify(tools);
    if (made?.key !== key)
      made = { key, definitions: tools.map(({ facts, timeoutMs }) => serverToolCommand(facts, timeoutMs)) };
    return made.definitions;
  };
  return {
    get definitions() {
      return definitions();
    },
    watch: (onChange) => {
      const ended = new AbortController();
      let last = definitions();
      let ends: readonly (() => void)[] = [];
      let isWaiting = false;
      const changed = (): void => {
        const now = definitions();
        if (now === last || ended.signal.aborted) return;
        last = now;
        onChange();
      };
      const follow = (): void => {
        for (const end of ends) end();
        ends = usable.map(({ server }) => server.onChange(changed));
      };
      const filesChanged = (): void => {
        if (isWaiting) return;
        isWaiting = true;
        const readAgain = async (): Promise<void> => {
          await parts.clock.sleep(SETTLE_MS, ended.signal);
          isWaiting = false;
          await policy?.refresh();
          usable = servers.usable(of, await servers.find(of));
          follow();
          await start();
          changed();
        };
        readAgain().catch(() => {
          isWaiting = false;
        });
      };
      follow();
      const ofFiles = [...of.files.map(({ path }) => path), of.trustFile].map((path) => dirname(path));
      const folders = new Set([...ofFiles, ...(policy?.folders ?? [])]);
      const unwatch = [...folders].map((folder) => parts.folders.watch(folder, filesChanged));
      // Between the list and this watch, a server may have started.
      changed();
      return () => {
        ended.abort();
        for (const end of [...ends, ...unwatch]) end();
      };
    },
  };
}
