import { z } from 'zod';
import { Explanation } from '../../../model/patterns/explanation.ts';
import { OutputNode } from '../../../model/tree/node.ts';
import { WindowSummary } from '../../../model/refs/target.ts';
import type { RunCommand } from './run-command.ts';

const Snapshot = z.object({ tree: OutputNode, explanation: Explanation.optional() });
const Listed = z.object({ windows: z.array(WindowSummary) });

/** The windows of an application in order of creation, so that an index is stable as long as earlier windows exist. */
export async function windowsOf(run: RunCommand, app: string): Promise<readonly WindowSummary[]> {
  const { output } = await run('list-windows', { app, include_minimized: true });
  // Ids increase, so a shorter one is older.
  return Listed.parse(output).windows.toSorted(
    (a, b) => a.id.length - b.id.length || a.id.localeCompare(b.id),
  );
}

/** The elements of the front window of an application, and what they show. @throws DeskterityError */
export async function frontTree(run: RunCommand, app: string): Promise<z.output<typeof Snapshot>> {
  const { output } = await run('snapshot', { app, explain: true });
  return Snapshot.parse(output);
}
