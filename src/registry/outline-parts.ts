import type { Change, Receipt } from '../model/effects/effect.ts';
import { rowLine } from '../model/tree/outline.ts';
import type { WindowSummary } from '../model/refs/target.ts';
import { clip, quote, reveal } from '../model/text/untrusted-text.ts';

/** Longest value in a receipt's outline, in characters. */
const LONGEST_VALUE = 80;

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
  for (const change of receipt.changes ?? []) lines.push(`  ${outlineChange(change)}`);
  return lines.join('\n');
}

/** One change on one line. */
export function outlineChange(change: Change): string {
  const line = terminalLine(change);
  if (line !== undefined) return line;
  const subject = [change.role, change.name === undefined ? undefined : quote(change.name), change.ref];
  const values =
    change.before === undefined && change.after === undefined
      ? []
      : [`${shown(change.before)} -> ${shown(change.after)}`];
  return [change.kind, ...subject, ...values].filter((part) => part !== undefined).join(' ');
}

/** A row of a terminal that can only be read, as snapshots show it. */
function terminalLine({ kind, role, name, ref, before, after }: Change): string | undefined {
  if (role !== 'row' || ref !== undefined || before !== undefined || after !== undefined) return undefined;
  return kind === 'appeared' || kind === 'changed' ? rowLine(name ?? '') : undefined;
}

function shown(value: string | undefined): string {
  return value === undefined ? 'nothing' : reveal(clip(value, LONGEST_VALUE));
}
