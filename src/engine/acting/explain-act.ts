import { subjectKeys } from '../../model/journal/attribute.ts';
import { handleKey, type NodeHandle } from '../../model/tree/node.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { DesktopJournal } from '../journal/desktop-journal.ts';
import { reachOf } from './act-reach.ts';
import type { ActKind, After, Verdict } from './attempt.ts';

/** Tells the journal what an act was found to have changed: its target, the elements of its receipt, and the windows that are not unrelated. */
export function explainAct(
  desktop: DesktopPort,
  target: NodeHandle,
  {
    kind,
    verdict,
    after,
    ...span
  }: {
    readonly kind: ActKind;
    readonly verdict: Pick<Verdict, 'changes' | 'windowChanges'>;
    readonly after: Pick<After, 'unrelated'>;
    readonly fromMs: number;
    readonly toMs: number;
  },
): void {
  const windows: readonly DesktopWindow[] = verdict.windowChanges
    .map(({ window }) => window)
    .filter((window) => !after.unrelated.has(window));
  const elements = [handleKey(target), ...verdict.changes.map(({ key }) => key)];
  DesktopJournal.of(desktop)?.acts.explain({
    ...span,
    keys: new Set([...elements, ...subjectKeys(windows)]),
    reach: reachOf(kind, handleKey(target)),
  });
}
