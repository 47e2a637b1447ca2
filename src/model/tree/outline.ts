import type { OutputNode } from './node.ts';
import { clip, quote, quoteClipped, reveal } from '../text/untrusted-text.ts';
import type { ChangeSince } from '../effects/effect.ts';

/** Characters of a name or value shown in an outline; JSON shows more. */
export const LONGEST_OUTLINE_TEXT = 200;
const LONGEST_ROW = 500;

/**
 * The compact text form of a distilled tree, one element per line, children indented by two spaces:
 *
 *     role "name" (31 items) @e9+ value="…" (5000 chars) states… [x,y widthxheight] actions=press,expand
 *
 * `(31 items)` and `+` mark elements left out below, `(31 more)` if some children are shown; the reason is added if it was a failure.
 * A read-only row of a terminal is its text after `| `; `caret=3` is the cursor's position in the name. `~"name"` was guessed from the label beside the element. Ends with a newline.
 */
export function renderOutline(node: OutputNode): string {
  const lines: string[] = [];
  const visit = (current: OutputNode, depth: number): void => {
    lines.push(outlineLine(current, depth));
    for (const child of current.children ?? []) visit(child, depth + 1);
  };
  visit(node, 0);
  return lines.join('');
}

/** A read-only row of a terminal: its text after a bar, so that it is not mistaken for an element. */
export function rowLine(text: string): string {
  return `| ${reveal(clip(text, LONGEST_ROW))}`;
}

/** What makes a row more than its text. */
const BESIDE_TEXT = ['ref', 'value', 'states', 'bounds', 'actions', 'elided_reason', 'children'] as const;

function isPlainRow(node: OutputNode): boolean {
  return (
    node.role === 'row' && node.name !== undefined && BESIDE_TEXT.every((field) => node[field] === undefined)
  );
}

/** The line of one element, with indentation and newline. */
export function outlineLine(node: OutputNode, depth: number): string {
  if (isPlainRow(node)) return `${'  '.repeat(depth)}${rowLine(node.name ?? '')}\n`;
  let line = '  '.repeat(depth) + node.role;
  if (node.name !== undefined) {
    line += `${node.name_from === 'neighbour' ? ' ~' : ' '}${quoteClipped(node.name, LONGEST_OUTLINE_TEXT)}`;
  }
  if (node.elided !== undefined || node.elided_reason !== undefined) line += ` (${missing(node)})`;
  const hasMore = node.elided_reason !== undefined && node.elided_reason !== 'undescribed';
  if (node.ref !== undefined) line += ` ${node.ref}${hasMore ? '+' : ''}`;
  if (node.value !== undefined)
    line += ` value=${quoteClipped(node.value, LONGEST_OUTLINE_TEXT)}${length(node)}`;
  for (const state of node.states ?? []) line += ` ${state}`;
  if (node.caret !== undefined) line += ` caret=${node.caret}`;
  if (node.bounds !== undefined)
    line += ` [${node.bounds.x},${node.bounds.y} ${node.bounds.width}x${node.bounds.height}]`;
  if (node.actions !== undefined)
    line += ` actions=${node.actions.map((action) => (PLAIN_ACTION.test(action) ? action : quote(action))).join(',')}`;
  return `${line}\n`;
}

const PLAIN_ACTION = /^[\w.-]+$/;

function missing(node: OutputNode): string {
  const unit = node.children === undefined || node.children.length === 0 ? 'items' : 'more';
  const count = node.elided === undefined ? unit : `${node.elided} ${unit}`;
  const reason = node.elided_reason;
  if (reason === 'undescribed') return 'drawn, not described';
  return reason === 'deadline' || reason === 'error' || reason === 'cycle' ? `${count}, ${reason}` : count;
}

function length(node: OutputNode): string {
  const value = node.value ?? '';
  const whole =
    node.value_length ??
    (value.length > LONGEST_OUTLINE_TEXT && !value.endsWith('…') ? value.length : undefined);
  return whole === undefined ? '' : ` (${whole} chars)`;
}

/** Characters of a name, or of the text before or after a change, in an outline. */
const LONGEST_TEXT = 160;

const SIGNS: Readonly<Record<ChangeSince['kind'], string>> = {
  appeared: '+',
  window_opened: '+',
  disappeared: '-',
  window_closed: '-',
  changed: '~',
  focus: '~',
};

/**
 * Changes since an earlier reading, one per line:
 *
 *     + dialog "Confirm"
 *       + button "OK" @e9: focused
 *     ~ checkbox "Agree" @e3: none -> checked
 *     - group "Details" (4 inside)
 */
export function outlineChanges(changes: readonly ChangeSince[]): string {
  return changes.map((change) => outlineChange(change)).join('');
}

function outlineChange(change: ChangeSince): string {
  const { kind, role, name, ref, inside, level = 0 } = change;
  let line = `${'  '.repeat(level)}${SIGNS[kind]}`;
  if (role !== undefined) line += ` ${role}`;
  if (name !== undefined) line += ` ${quoteClipped(name, LONGEST_TEXT)}`;
  if (ref !== undefined) line += ` ${ref}`;
  if (inside !== undefined) line += ` (${inside} inside)`;
  const what = difference(change);
  return what === '' ? `${line}\n` : `${line}: ${what}\n`;
}

function difference({ kind, before, after }: ChangeSince): string {
  if (kind === 'focus') return 'focused';
  const became = after === undefined ? '' : reveal(clip(after, LONGEST_TEXT));
  return before === undefined ? became : `${reveal(clip(before, LONGEST_TEXT))} -> ${became}`;
}
