import { z } from 'zod';
import { WindowSummary } from '../../../model/refs/target.ts';
import type { Ask } from './ask.ts';

const Listed = z.object({ windows: z.array(WindowSummary) });

/** The windows of an application in the order in which they were made, so that a number means the same window as long as those before it last. */
export async function windowsOf(ask: Ask, app: string): Promise<readonly WindowSummary[]> {
  const { output } = await ask('list-windows', { app, include_minimized: true });
  const numberOf = ({ id }: WindowSummary): number =>
    Number(/^x11:(0x[0-9a-f]+)$/.exec(id)?.[1] ?? Number.NaN);
  return Listed.parse(output).windows.toSorted(
    (a, b) => numberOf(a) - numberOf(b) || a.id.localeCompare(b.id),
  );
}
