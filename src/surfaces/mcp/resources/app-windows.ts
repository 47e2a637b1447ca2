import { z } from 'zod';
import { WindowSummary } from '../../../model/refs/target.ts';
import type { Ask } from './ask.ts';

const Listed = z.object({ windows: z.array(WindowSummary) });

/** The windows of an application in the order in which they were made, so that a number means the same window as long as those before it last. */
export async function windowsOf(ask: Ask, app: string): Promise<readonly WindowSummary[]> {
  const { output } = await ask('list-windows', { app, include_minimized: true });
  // Ids count up, in whatever digits: the shorter of two is the older one.
  return Listed.parse(output).windows.toSorted(
    (a, b) => a.id.length - b.id.length || a.id.localeCompare(b.id),
  );
}
