import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK } from '../model/tools/operation.ts';
import { FinishedOperation } from '../model/tools/operation-answer.ts';
import { isOver } from '../model/tools/operation-status.ts';
import type { OperationsPort, OperationView } from '../ports/operations.ts';
import type { Environment } from '../model/sessions/caller.ts';

export interface OpenedOperationsParts {
  /** Folders of Deskterity for the caller with this environment. */
  readonly folders: (environment: Environment) => { readonly state: string };
  readonly openOperations: (environment: Environment) => Promise<OperationsPort>;
}

interface Opened {
  readonly port: Promise<OperationsPort>;
  readonly news: FinishedOperations;
  /** Operations under way, as far as this process has begun or seen them. */
  readonly running: Set<string>;
  /** The latest ones that ended. */
  readonly ended: Set<string>;
}

/** Command-line operations, by the folder that they are kept in. */
export class OpenedOperations {
  private readonly parts: OpenedOperationsParts;
  private readonly opened = new Map<string, Opened>();

  constructor(parts: OpenedOperationsParts) {
    this.parts = parts;
  }

  /** Opened when first wanted. */
  of(environment: Environment): Promise<OperationsPort> {
    return this.open(environment).port;
  }

  /** One that this process has begun, and that somebody may want to hear the end of. */
  begun(environment: Environment, view: OperationView): void {
    const { running, ended } = this.open(environment);
    // The news of its end may have come before the answer to its start.
    if (!isOver(view.status) && !ended.has(view.operation_id)) running.add(view.operation_id);
  }

  /** The answer with the operations of the session that ended since its last one. */
  withNews<T extends Record<string, unknown>>(
    environment: Environment,
    session: string,
    output: T,
  ): T | (T & { readonly finished_operations: unknown }) {
    const { state } = this.parts.folders(environment);
    // Some that began before this process may end now.
    if (!this.opened.has(state) && existsSync(join(state, 'operations'))) this.open(environment);
    const news = this.opened.get(state)?.news.take(session, output) ?? [];
    return news.length === 0 ? output : { finished_operations: news, ...output };
  }

  /** As a phrase: what the process is needed for. */
  get why(): readonly string[] {
    const count = [...this.opened.values()].reduce((sum, { running }) => sum + running.size, 0);
    return count === 0 ? [] : [`${count} ${count === 1 ? 'operation' : 'operations'}`];
  }

  private open(environment: Environment): Opened {
    const { state } = this.parts.folders(environment);
    const known = this.opened.get(state);
    if (known !== undefined) return known;
    const news = new FinishedOperations();
    const running = new Set<string>();
    const ended = new Set<string>();
    const port = this.parts.openOperations(environment).then((operations) => {
      operations.onEnd((view) => {
        running.delete(view.operation_id);
        remember(ended, view.operation_id);
        if (view.tool !== CHECK) news.ended(view);
      });
      return operations;
    });
    const opened = { port, news, running, ended };
    this.opened.set(state, opened);
    // Tried again with the next call.
    port.catch(() => this.opened.delete(state));
    return opened;
  }
}

const MOST_REMEMBERED = 1000;

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MOST_REMEMBERED && oldest !== undefined) ids.delete(oldest);
}

/** Sessions that never ask again must not fill the memory. */
const MOST_UNTOLD = 200;

/** Operations that ended since whoever started them was last answered. */
class FinishedOperations {
  private readonly untold = new Map<string, OperationView>();

  ended(view: OperationView): void {
    this.untold.set(view.operation_id, view);
    const [oldest] = this.untold.keys();
    if (this.untold.size > MOST_UNTOLD && oldest !== undefined) this.untold.delete(oldest);
  }

  /** What to tell a session with this answer, which itself may have told some of it. */
  take(session: string, answer: Readonly<Record<string, unknown>>): readonly FinishedOperation[] {
    for (const id of toldBy(answer)) this.untold.delete(id);
    const news = [...this.untold.values()].filter((view) => view.session === session);
    for (const { operation_id: id } of news) this.untold.delete(id);
    return news.map((view) => FinishedOperation.parse(view));
  }
}

/** Operations whose end an answer says. */
function toldBy(answer: Readonly<Record<string, unknown>>): readonly string[] {
  const { operations } = answer;
  return [answer, ...(Array.isArray(operations) ? operations : [])].flatMap((part: unknown) => {
    const { data } = FinishedOperation.safeParse(part);
    return data !== undefined && isOver(data.status) ? [data.operation_id] : [];
  });
}
