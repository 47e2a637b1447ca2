import { shownName } from '../../model/tree/shown-name.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import type { Change, Effect, Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { StoredReading } from '../../model/refs/reading.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { isInteractive, shownRole } from '../../model/tree/role.ts';
import type { ActOutcome } from '../../ports/desktop/acts.ts';
import type { ScreenPort } from '../../ports/screen.ts';
import type { ElementContext } from '../evidence/element-context.ts';
import type { Judgement } from '../evidence/evidence.ts';
import { rankChanges, withoutReplaced } from '../evidence/rank-changes.ts';
import type { ObservedChange, WindowChange } from '../evidence/window-diff.ts';
import { listOpened, type OpenedPart } from '../reading/opened.ts';
import { comparableTree, refLookup, toReading } from '../reading/readings.ts';
import type { RefTable } from '../refs/ref-table.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { TreeIndex } from '../tree/tree-index.ts';

/** More changes than this add no information. */
const MAX_CHANGES = 20;

/** The content of a receipt. */
export interface ActReport {
  readonly target: ResolvedTarget;
  readonly screen: ScreenPort | undefined;
  readonly outcome: ActOutcome;
  readonly judgement: Judgement;
  readonly changes: readonly ObservedChange[];
  readonly windowChanges: readonly WindowChange[];
  readonly after: ElementContext;
  /** What opened, to be listed instead of as changes. */
  readonly opened: readonly OpenedPart[];
  readonly durationMs: number;
}

/** An element as receipts name it. */
export function targetInReceipt({ ref, node, record }: ResolvedTarget): Receipt['target'] {
  const name = shownName(node);
  return {
    ...(ref === '' ? {} : { ref }),
    role: shownRole(node, record.trail.at(-1)?.role),
    ...(name === '' ? {} : { name }),
  };
}

/** Writes the receipt of an act, assigns refs to elements that can be acted on next, and returns the reading to store under the receipt's cursor. */
export function writeReceipt(
  table: RefTable,
  report: ActReport,
): { readonly receipt: Receipt; readonly reading: StoredReading } {
  const { target, outcome, judgement, after } = report;
  const index = after.tree && new TreeIndex(after.tree.root);
  const reported = reportedChanges(report, index);
  const changes = [
    ...report.windowChanges.map((change) => withWindowRef(table, change)),
    ...withRefs(table, report, { index, reported: reported.changes }),
  ];
  const receipt: Receipt = {
    target: targetInReceipt(target),
    ...(target.healed === undefined ? {} : { healed: target.healed }),
    effect: judgement.effect,
    evidence: [
      ...judgement.evidence,
      ...(reported.leftOut === 0 ? [] : [`${reported.leftOut} more changes are not listed`]),
    ],
    via: outcome.via,
    ...(changes.length === 0 ? {} : { changes }),
    ...(report.opened.length === 0 ? {} : { opened: listOpened(table, report.opened) }),
    delivered: outcome.delivered,
    retry_safe: judgement.retrySafe,
    cursor: table.advance(),
    duration_ms: report.durationMs,
  };
  return { receipt, reading: readingAfter(table, report, index) };
}

/** The window after the act settled; without a tree if it could not be read. */
function readingAfter(
  table: RefTable,
  { target, after }: ActReport,
  index: TreeIndex | undefined,
): StoredReading {
  const { tree, window } = after;
  const id = target.record.window;
  return {
    cursor: Number(table.cursor.slice(1)),
    window: { id: window?.id ?? id, otherId: window?.otherId },
    pid: after.pid,
    wholeTree: false,
    complete: tree?.complete ?? false,
    windows: after.pid === undefined ? undefined : after.windows?.filter(({ pid }) => pid === after.pid),
    ...(tree && index
      ? {
          tree: toReading(comparableTree(tree.root, false), window?.title ?? '', refLookup(table, index, id)),
        }
      : {}),
  };
}

function withWindowRef(table: RefTable, { change, window }: WindowChange): Change {
  return change.kind === 'window_opened' ? { ref: table.refForWindow(window), ...change } : change;
}

/** The changes to list, up to the limit, the most important first. */
function reportedChanges(
  { screen, changes: all, opened, target, judgement }: ActReport,
  index: TreeIndex | undefined,
): {
  readonly changes: readonly ObservedChange[];
  readonly leftOut: number;
} {
  if (screen !== undefined) return screen.report(all);
  const self = index?.at(target.record);
  const roots = new Set(opened.map(({ root }) => handleKey(root.handle)));
  const told = withoutReplaced(all).filter(
    ({ change, key, lineage }) =>
      change.kind !== 'appeared' || ![key, ...lineage].some((above) => roots.has(above)),
  );
  const ranked = rankChanges(told, {
    targetKey: handleKey(target.record),
    targetLineage: self === undefined ? [] : (index?.ancestorKeys(self) ?? []),
    reliesOn: judgement.reliesOn?.key,
  });
  const changes = ranked.slice(0, MAX_CHANGES);
  return { changes, leftOut: told.length - changes.length };
}

function withRefs(
  table: RefTable,
  { target }: ActReport,
  {
    index,
    reported,
  }: { readonly index: TreeIndex | undefined; readonly reported: readonly ObservedChange[] },
): Change[] {
  const { window } = target.record;
  const self = index?.at(target.record);
  // The act itself may have renamed its target: a cell that was written to is still that cell.
  if (index && self?.role === target.record.role && parseRef(target.ref)?.kind === 'e')
    table.update(target.ref, index.describe(self, window));
  return reported.map(({ change, node }): Change => {
    if (!index || change.kind === 'disappeared') return change;
    const isShown = isInteractive(node.role) || isEdited(node) || table.refOf(node.handle) !== undefined;
    return isShown ? { ref: table.refForElement(index.describe(node, window)), ...change } : change;
  });
}

/** What is typed into now, whatever its role: a cell of LibreOffice Calc is edited in a paragraph. */
function isEdited({ states }: TreeNode): boolean {
  return states.includes('focused') && states.includes('editable');
}

/** The error for a receipt whose effect is a failure, with the last line of evidence about that. */
export function failureOf(receipt: Receipt, evidence: readonly string[]): DeskterityError | undefined {
  const what = FAILURES[receipt.effect];
  if (what === undefined) return undefined;
  return new DeskterityError(
    'ACTION_FAILED',
    `Acting on ${receipt.target.ref ?? 'the target'} (${receipt.target.role}) ${what}: ${evidence.at(-1) ?? 'no change was seen'}.`,
    {
      suggestion: receipt.target.ref?.startsWith('@e')
        ? `Look at the element with ${mentionCommand('get', { property: 'attributes', ref: 'REF' })} and at the window with ${mentionCommand('screenshot')}; another element may be the right one.`
        : `Check the current state with ${mentionCommand('snapshot')} or ${mentionCommand('screenshot')}.`,
      delivered: receipt.delivered,
      result: { ...receipt },
    },
  );
}

const FAILURES: Readonly<Partial<Record<Effect, string>>> = {
  no_op: 'changed nothing',
  partial: 'took effect only in part',
};
