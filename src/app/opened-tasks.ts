import type { App, AppParts, TaskRecords } from './app.ts';

/** The tasks of MCP clients, opened once for each state folder. */
export function openedTasks({
  folders,
  openTasks,
}: Pick<AppParts, 'folders' | 'openTasks'>): Pick<App, 'taskRecords'> {
  const opened = new Map<string, Promise<TaskRecords>>();
  return {
    taskRecords: ({ environment }) => {
      const { state } = folders(environment);
      const known = opened.get(state);
      if (known !== undefined) return known;
      const opening = openTasks(environment);
      opened.set(state, opening);
      // The next call tries again.
      opening.catch(() => opened.delete(state));
      return opening;
    },
  };
}
