import type { Change, Receipt } from '../model/effects/effect.ts';
import type { OutputNode } from '../model/tree/node.ts';
import { renderOutline, rowLine } from '../model/tree/outline.ts';
import type { WindowSummary } from '../model/refs/target.ts';
import { clip, quote, reveal } from '../model/text/untrusted-text.ts';

/** Longest value in a receipt's outline, in characters. */
const LONGEST_VALUE = 80;
const LONGEST_RUN = 120;

function outlineBounds(bounds: { x: number; y: number; width: number; height: number }): string {
  return `[${bounds.x},${bounds.y} ${bounds.width}x${bounds.height}]`;
}

/** One window on one line. */
export function outlineWindow(window: WindowSummary): string {
  const parts = [`window ${quote(window.title)} ${window.ref}`, `app=${quote(window.app)} pid=${window.pid}`];
  if (window.focused) parts.push('focused');
  if (window.minimized) parts.push('minimized');
  if (window.maximized === true) parts.push('maximized');
  if (window.bounds !== undefined) parts.push(outlineBounds(window.bounds));
  if (!window.accessible) parts.push(`no tree: ${window.reason ?? 'not accessible'}`);
  return parts.join(' ');
}

/** What an act did, and what changed. */
export function outlineReceipt(receipt: Receipt): string {
  const { target } = receipt;
  const named = [target.role, target.name === undefined ? '' : quote(target.name), target.ref ?? ''];
  const lines = [`${receipt.effect}: ${named.filter((part) => part !== '').join(' ')} via ${receipt.via}`];
  const { healed } = receipt;
  if (healed !== undefined)
    lines.push(`  healed: ${reveal(healed.from)} -> ${reveal(healed.to)} (score ${healed.score})`);
  for (const line of receipt.evidence) lines.push(`  evidence: ${line}`);
  let run: string | undefined;
  for (const change of receipt.changes ?? []) {
    const { head, subject, values } = partsOf(change);
    const isPlain = terminalLine(change) === undefined && values === '' && subject !== '';
    const last = lines.at(-1) ?? '';
    // Neighbours of which the same is told share a line, as in outlines of trees.
    if (isPlain && head === run && last.length + subject.length < LONGEST_RUN)
      lines[lines.length - 1] = `${last} ${subject}`;
    else lines.push(`  ${outlineChange(change)}`);
    run = isPlain ? head : undefined;
  }
  lines.push(...outlineOpened(receipt.opened), `cursor ${receipt.cursor}`);
  return lines.join('\n');
}

/** What opened, as outlines. */
export function outlineOpened(opened: readonly OutputNode[] | undefined): string[] {
  return (opened ?? []).flatMap((root) => {
    const [head, ...below] = renderOutline(root).trimEnd().split('\n');
    return [`  opened ${head}`, ...below.map((line) => `  ${line}`)];
  });
}

/** One change on one line. */
export function outlineChange(change: Change): string {
  const { head, subject, values } = partsOf(change);
  return terminalLine(change) ?? [head, subject, values].filter((part) => part !== '').join(' ');
}

function partsOf(change: Change): {
  readonly head: string;
  readonly subject: string;
  readonly values: string;
} {
  const { kind, role, name, ref, before, after } = change;
  const hasValues = before !== undefined || after !== undefined;
  return {
    head: [kind, role].filter((part) => part !== undefined).join(' '),
    subject: [name === undefined ? undefined : quote(name), ref]
      .filter((part) => part !== undefined)
      .join(' '),
    values: hasValues ? `${shown(before)} -> ${shown(after)}` : '',
  };
}

/** A row of a terminal that can only be read, as snapshots show it. */
function terminalLine({ kind, role, name, ref, before, after }: Change): string | undefined {
  if (role !== 'row' || ref !== undefined || before !== undefined || after !== undefined) return undefined;
  return kind === 'appeared' || kind === 'changed' ? rowLine(name ?? '') : undefined;
}

function shown(value: string | undefined): string {
  return value === undefined ? 'nothing' : reveal(clip(value, LONGEST_VALUE));
}
