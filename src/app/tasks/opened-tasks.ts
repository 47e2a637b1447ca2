import type { Environment } from '../../model/sessions/caller.ts';
import type { AppParts } from '../app.ts';
import type { TaskRecords } from './task-records.ts';

/** The tasks of MCP clients, by state folder. */
export class OpenedTasks {
  private readonly parts: Pick<AppParts, 'folders' | 'openTasks'>;
  private readonly opened = new Map<string, Promise<TaskRecords>>();

  constructor(parts: Pick<AppParts, 'folders' | 'openTasks'>) {
    this.parts = parts;
  }

  of(environment: Environment): Promise<TaskRecords> {
    const { state } = this.parts.folders(environment);
    const known = this.opened.get(state);
    if (known !== undefined) return known;
    const opening = this.parts.openTasks(environment);
    this.opened.set(state, opening);
    // The next call tries again.
    opening.catch(() => this.opened.delete(state));
    return opening;
  }
}
