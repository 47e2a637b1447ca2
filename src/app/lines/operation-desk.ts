import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK } from '../../model/tools/operation.ts';
import { isOver } from '../../model/tools/operation-status.ts';
import type { OperationsPort, OperationView } from '../../ports/operations.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import type { HostParts } from '../host.ts';
import { OperationNews } from './operation-news.ts';

interface Opened {
  readonly port: Promise<OperationsPort>;
  readonly news: OperationNews;
  /** Operations under way, as far as this process has begun or seen them. */
  readonly running: Set<string>;
  /** The latest ones that ended. */
  readonly ended: Set<string>;
}

/** Command-line operations, by the folder that they are kept in. */
export class OperationDesk {
  private readonly parts: Pick<HostParts, 'folders' | 'openOperations'>;
  private readonly opened = new Map<string, Opened>();

  constructor(parts: Pick<HostParts, 'folders' | 'openOperations'>) {
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
    const folders = this.parts.folders(environment);
    const known = this.opened.get(folders.state);
    if (known !== undefined) return known;
    const news = new OperationNews();
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
    this.opened.set(folders.state, opened);
    // Tried again with the next call.
    port.catch(() => this.opened.delete(folders.state));
    return opened;
  }
}

const MOST_REMEMBERED = 1000;

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MOST_REMEMBERED && oldest !== undefined) ids.delete(oldest);
}
