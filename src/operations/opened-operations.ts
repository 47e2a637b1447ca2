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
  readonly finished: FinishedOperations;
  /** Running operations that this process started or has seen. */
  readonly running: Set<string>;
  /** The latest ended ones. */
  readonly ended: Set<string>;
}

/** Command-line operations, by state folder. */
export class OpenedOperations {
  private readonly parts: OpenedOperationsParts;
  private readonly opened = new Map<string, Opened>();

  constructor(parts: OpenedOperationsParts) {
    this.parts = parts;
  }

  /** Opened on first use. */
  of(environment: Environment): Promise<OperationsPort> {
    return this.open(environment).port;
  }

  /** Registers an operation that this process started, so that its end is reported. */
  started(environment: Environment, view: OperationView): void {
    const { running, ended } = this.open(environment);
    // Its end may be reported before the answer to its start.
    if (!isOver(view.status) && !ended.has(view.operation_id)) running.add(view.operation_id);
  }

  /** The answer, with the session's operations that ended since its last answer. */
  withFinished<T extends Record<string, unknown>>(
    environment: Environment,
    session: string,
    output: T,
  ): T | (T & { readonly finished_operations: unknown }) {
    const { state } = this.parts.folders(environment);
    // Operations that started before this process may have ended.
    if (!this.opened.has(state) && existsSync(join(state, 'operations'))) this.open(environment);
    const finished = this.opened.get(state)?.finished.take(session, output) ?? [];
    return finished.length === 0 ? output : { finished_operations: finished, ...output };
  }

  /** Why the process is still needed, as phrases. */
  get reasons(): readonly string[] {
    const count = [...this.opened.values()].reduce((sum, { running }) => sum + running.size, 0);
    return count === 0 ? [] : [`${count} ${count === 1 ? 'operation' : 'operations'}`];
  }

  private open(environment: Environment): Opened {
    const { state } = this.parts.folders(environment);
    const known = this.opened.get(state);
    if (known !== undefined) return known;
    const finished = new FinishedOperations();
    const running = new Set<string>();
    const ended = new Set<string>();
    const port = this.parts.openOperations(environment).then((operations) => {
      operations.onEnd((view) => {
        running.delete(view.operation_id);
        remember(ended, view.operation_id);
        if (view.tool !== CHECK) finished.ended(view);
      });
      return operations;
    });
    const opened = { port, finished, running, ended };
    this.opened.set(state, opened);
    // The next call tries again.
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

/** A limit, as a session may never make another call. */
const MOST_UNREPORTED = 200;

/** Operations that ended since the last answer to their session. */
class FinishedOperations {
  private readonly unreported = new Map<string, OperationView>();

  ended(view: OperationView): void {
    this.unreported.set(view.operation_id, view);
    const [oldest] = this.unreported.keys();
    if (this.unreported.size > MOST_UNREPORTED && oldest !== undefined) this.unreported.delete(oldest);
  }

  /** The operations to report to a session with this answer, except those that the answer itself contains. */
  take(session: string, answer: Readonly<Record<string, unknown>>): readonly FinishedOperation[] {
    for (const id of reportedIn(answer)) this.unreported.delete(id);
    const finished = [...this.unreported.values()].filter((view) => view.session === session);
    for (const { operation_id: id } of finished) this.unreported.delete(id);
    return finished.map((view) => FinishedOperation.parse(view));
  }
}

/** Operations whose end an answer contains. */
function reportedIn(answer: Readonly<Record<string, unknown>>): readonly string[] {
  const { operations } = answer;
  return [answer, ...(Array.isArray(operations) ? operations : [])].flatMap((part: unknown) => {
    const { data } = FinishedOperation.safeParse(part);
    return data !== undefined && isOver(data.status) ? [data.operation_id] : [];
  });
}
