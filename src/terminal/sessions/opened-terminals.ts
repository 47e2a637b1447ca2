import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EndedCommand, TerminalsPort } from '../../ports/terminals.ts';
import type { Environment } from '../../model/sessions/caller.ts';

interface Opened {
  readonly port: Promise<TerminalsPort>;
  /** Number of terminals at the last count. */
  count: number;
  isCounting: boolean;
  /** The port was used since the last count. */
  isStale: boolean;
}

/** In the state folder; exists after the first terminal. */
const FOLDER = 'terminals';

export interface OpenedTerminalsParts {
  /** Folders of Deskterity for this environment. */
  readonly folders: (environment: Environment) => { readonly state: string };
  readonly openTerminals: (environment: Environment) => Promise<TerminalsPort>;
}

/** Terminal ports, by state folder. */
export class OpenedTerminals {
  private readonly parts: OpenedTerminalsParts;
  private readonly opened = new Map<string, Opened>();

  private readonly onCommandEnd: (ended: EndedCommand) => void;

  /** @param onCommandEnd called for each background command that ends */
  constructor(parts: OpenedTerminalsParts, onCommandEnd: (ended: EndedCommand) => void = () => undefined) {
    this.parts = parts;
    this.onCommandEnd = onCommandEnd;
  }

  /** Opens the port on first use. */
  of(environment: Environment): Promise<TerminalsPort> {
    const opened = this.open(environment);
    opened.isStale = true;
    return opened.port;
  }

  /** Must run after each call, which may have started or ended a terminal; an earlier process may have left some. */
  refreshCount(environment: Environment): void {
    const { state } = this.parts.folders(environment);
    const known = this.opened.get(state);
    if (known?.isStale === true) void count(known);
    else if (known === undefined && state !== '' && existsSync(join(state, FOLDER)))
      void count(this.open(environment));
  }

  /** Why the process is needed, as a phrase. */
  get reasons(): readonly string[] {
    let sum = 0;
    for (const one of this.opened.values()) {
      sum += one.count;
      // A later call gets the updated count.
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
    const opened = { port, count: 0, isCounting: false, isStale: true };
    this.opened.set(state, opened);
    // Retried with the next call.
    port.catch(() => this.opened.delete(state));
    return opened;
  }
}

/** Never rejects; on failure the old count remains. */
async function count(opened: Opened): Promise<void> {
  if (opened.isCounting) return;
  opened.isCounting = true;
  opened.isStale = false;
  try {
    const all = await (await opened.port).list();
    opened.count = all.filter(({ state }) => state !== 'exited').length;
  } catch {
    // Retried with the next call.
  } finally {
    opened.isCounting = false;
  }
}
