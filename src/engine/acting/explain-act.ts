import { subjectKeys } from '../../model/journal/attribute.ts';
import { handleKey, type NodeHandle } from '../../model/tree/node.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { DesktopJournal } from '../journal/desktop-journal.ts';
import { reachOf } from './act-reach.ts';
import type { Act, After, Verdict } from './attempt.ts';

/** Tells the journal what an act was found to have changed: its target, the elements of its receipt, and the windows that are not unrelated. */
export function explainAct(
  desktop: DesktopPort,
  target: NodeHandle,
  {
    act,
    verdict,
    after,
    answeredAtMs,
    ...span
  }: {
    readonly act: Pick<Act, 'kind' | 'wrote'>;
    readonly verdict: Pick<Verdict, 'judgement' | 'changes' | 'windowChanges'>;
    readonly after: Pick<After, 'unrelated'>;
    readonly fromMs: number;
    readonly toMs: number;
    readonly answeredAtMs: number;
  },
): void {
  const windows: readonly DesktopWindow[] = verdict.windowChanges
    .map(({ window }) => window)
    .filter((window) => !after.unrelated.has(window));
  const key = handleKey(target);
  const elements = [key, ...verdict.changes.map((change) => change.key)];
  // What was reported before the application answered is in the reading that confirmed the act.
  const isWritten = verdict.judgement.effect === 'confirmed' && act.wrote?.() !== undefined;
  const inside = verdict.changes.filter(({ lineage }) => lineage.includes(key)).map((change) => change.key);
  DesktopJournal.of(desktop)?.acts.explain({
    ...span,
    keys: new Set([...elements, ...subjectKeys(windows)]),
    reach: reachOf(act.kind, key),
    wrote: isWritten ? { keys: new Set([key, ...inside]), untilMs: answeredAtMs } : undefined,
  });
}
