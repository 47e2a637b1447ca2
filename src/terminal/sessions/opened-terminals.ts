import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EndedCommand, TerminalsPort } from '../../ports/terminals.ts';
import type { Environment } from '../../model/sessions/caller.ts';

interface Opened {
  readonly port: Promise<TerminalsPort>;
  /** Terminals there were when somebody last looked. */
  count: number;
  isLooking: boolean;
  /** Somebody has had the port since. */
  isStale: boolean;
}

/** Below the state folder; there once a terminal was. */
const FOLDER = 'terminals';

export interface OpenedTerminalsParts {
  /** Folders of Deskterity for whoever has this environment. */
  readonly folders: (environment: Environment) => { readonly state: string };
  readonly openTerminals: (environment: Environment) => Promise<TerminalsPort>;
}

/** Terminals, by the folder that holders keep them in. */
export class OpenedTerminals {
  private readonly parts: OpenedTerminalsParts;
  private readonly opened = new Map<string, Opened>();

  private readonly onCommandEnd: (ended: EndedCommand) => void;

  /** @param onCommandEnd told of each command in the background that ends */
  constructor(parts: OpenedTerminalsParts, onCommandEnd: (ended: EndedCommand) => void = () => undefined) {
    this.parts = parts;
    this.onCommandEnd = onCommandEnd;
  }

  /** Opened when first wanted. */
  of(environment: Environment): Promise<TerminalsPort> {
    const opened = this.open(environment);
    opened.isStale = true;
    return opened.port;
  }

  /** To be called after each call: it may have begun or ended a terminal, and a process before this one may have left some. */
  look(environment: Environment): void {
    const { state } = this.parts.folders(environment);
    const known = this.opened.get(state);
    if (known?.isStale === true) void count(known);
    else if (known === undefined && state !== '' && existsSync(join(state, FOLDER)))
      void count(this.open(environment));
  }

  /** As a phrase: what the process is needed for. */
  get why(): readonly string[] {
    let sum = 0;
    for (const one of this.opened.values()) {
      sum += one.count;
      // Whoever asks again after a while is told what has come of it.
      if (one.count > 0) void count(one);
    }
    return sum === 0 ? [] : [`${sum} ${sum === 1 ? 'terminal' : 'terminals'}`];
  }

  private open(environment: Environment): Opened {
    const { state } = this.parts.folders(environment);
    const known = this.opened.get(state);
    if (known !== undefined) return known;
    const port = this.parts.openTerminals(environment).then((terminals) => {
      terminals.onCommandEnd(this.onCommandEnd);
      return terminals;
    });
    const opened = { port, count: 0, isLooking: false, isStale: true };
    this.opened.set(state, opened);
    // Tried again with the next call.
    port.catch(() => this.opened.delete(state));
    return opened;
  }
}

/** Never rejects, and nobody waits for it: what cannot be counted stays as it was. */
async function count(opened: Opened): Promise<void> {
  if (opened.isLooking) return;
  opened.isLooking = true;
  opened.isStale = false;
  try {
    const all = await (await opened.port).list();
    opened.count = all.filter(({ state }) => state !== 'exited').length;
  } catch {
    // Counted again with the next call.
  } finally {
    opened.isLooking = false;
  }
}
