import { afterCheck } from '../../model/after-check.ts';
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
  const own = afterCheck(async (id) => {
    if (!(await isOwn(id))) throw unknownTerminal(id);
  });
  const tell = async (ended: EndedCommand, listener: (ended: EndedCommand) => void): Promise<void> => {
    if (await found(ended.terminal)) listener(ended);
  };
  const found = async (facts: TerminalFactsView): Promise<boolean> => isOwn(facts.id).catch(() => false);
  return {
    ownerOf: own(port.ownerOf.bind(port)),
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
    facts: own(port.facts.bind(port)),
    run: own(port.run.bind(port)),
    lines: own(port.lines.bind(port)),
    output: own(port.output.bind(port)),
    bytes: own(port.bytes.bind(port)),
    kill: own(port.kill.bind(port)),
    clear: own(port.clear.bind(port)),
    close: own(port.close.bind(port)),
    view: own(port.view.bind(port)),
    attach: own(port.attach.bind(port)),
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
