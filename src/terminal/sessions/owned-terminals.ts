import { DeskterityError } from '../../model/effects/errors.ts';
import { displayTag } from '../../model/terminals/session-name.ts';
import type { EndedCommand, TerminalFactsView, TerminalName, TerminalsPort } from '../../ports/terminals.ts';
import { unknownTerminal } from '../failures.ts';

/**
 * The terminals that one client of a server has opened, if the server tells its clients apart: it neither sees nor uses those of others. Their names
 * are taken nevertheless, because a name is unique.
 */
export function ownedTerminals(port: TerminalsPort, owner: string | undefined): TerminalsPort {
  if (owner === undefined) return port;
  const isOwn = async (id: string) => (await port.ownerOf(id)) === owner;
  const own = async (id: string) => {
    if (!(await isOwn(id))) throw unknownTerminal(id);
  };
  const tell = async (ended: EndedCommand, listener: (ended: EndedCommand) => void): Promise<void> => {
    if (await found(ended.terminal)) listener(ended);
  };
  const found = async (facts: TerminalFactsView): Promise<boolean> => isOwn(facts.id).catch(() => false);
  return {
    ownerOf: async (id) => {
      await own(id);
      return owner;
    },
    list: async () => {
      const all = await port.list();
      const owned = await Promise.all(all.map(found));
      return all.filter((_, index) => owned[index]);
    },
    find: async (name) => {
      const facts = await port.find(name);
      return facts !== undefined && (await found(facts)) ? facts : undefined;
    },
    // Of every client: a confined program could leave its sandbox through a terminal of another client.
    remains: (name) => port.remains(name),
    open: async (start) => {
      const before = await port.find(start.name);
      if (before !== undefined && !(await found(before))) throw taken(start.name);
      const opened = await port.open({ ...start, owner });
      // Another client may have opened it meanwhile.
      if (!(await isOwn(opened.id))) throw taken(start.name);
      return opened;
    },
    facts: async (id) => {
      await own(id);
      return port.facts(id);
    },
    run: async (id, request, signal) => {
      await own(id);
      return port.run(id, request, signal);
    },
    lines: async (id, most) => {
      await own(id);
      return port.lines(id, most);
    },
    output: async (id, query) => {
      await own(id);
      return port.output(id, query);
    },
    bytes: async (id, range) => {
      await own(id);
      return port.bytes(id, range);
    },
    kill: async (id, waits) => {
      await own(id);
      return port.kill(id, waits);
    },
    clear: async (id) => {
      await own(id);
      return port.clear(id);
    },
    close: async (id, waits) => {
      await own(id);
      return port.close(id, waits);
    },
    view: async (id) => {
      await own(id);
      return port.view(id);
    },
    attach: async (id, options) => {
      await own(id);
      return port.attach(id, options);
    },
    onCommandEnd: (listener) =>
      port.onCommandEnd((ended) => {
        void tell(ended, listener);
      }),
  };
}

function taken(name: TerminalName): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    `The name ${displayTag(name)} is taken by a terminal of another client of this server.`,
    { suggestion: 'Use another tag.', delivered: false },
  );
}
