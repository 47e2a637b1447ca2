import type { OffScreen, OutputNode } from './node.ts';
import { clip, quote, quoteClipped, reveal } from '../text/untrusted-text.ts';
import type { ChangeSince } from '../effects/effect.ts';
import { roleSet } from './role.ts';
import { SCROLL_DIRECTIONS } from './scroll.ts';

/** Characters of a name or value shown in an outline; JSON shows more. */
export const LONGEST_OUTLINE_TEXT = 160;
/** Characters of a value with several lines: the beginning of a document, which is read by other means. */
const LONGEST_LINES = 80;
const LONGEST_ROW = 500;

/** Runs of elements are broken into lines of about this many characters. */
const LONGEST_RUN = 120;

/**
 * The compact text form of a distilled tree. Children are indented by two spaces:
 *
 *     role "name" (31 items) @e9+ value="…" (5000 chars) states… [x,y widthxheight] actions=press,expand
 *     button "7" @e1 "8" @e2 "9" @e3 disabled
 *
 * Neighbours of one role with nothing inside share lines; boxes without anything to say have none. `(31 items)` and `+` mark elements left out
 * below, `(31 more)` if some children are shown, `(958 down)` what is scrolled out of a container; the reason is added if it was a failure.
 * A read-only row of a terminal is its text after `| `; `caret=3` is the cursor's position in the name. `~"name"` was guessed from the label beside the element. Ends with a newline.
 */
export function renderOutline(root: OutputNode): string {
  const lines: string[] = [];
  const visit = (node: OutputNode, depth: number): void => {
    lines.push(outlineLine(node, depth));
    let last: OutputNode | undefined;
    for (const child of shownChildren(node)) {
      const line = lines.at(-1) ?? '';
      const joined = joins(last, child) ? ` ${outlineEntry(child)}` : undefined;
      if (joined !== undefined && line.length + joined.length <= LONGEST_RUN)
        lines[lines.length - 1] = `${line.trimEnd()}${joined}`;
      else visit(child, depth + 1);
      last = child;
    }
  };
  visit(root, 0);
  return lines.join('');
}

/** The children that have lines, those of silent boxes instead of the boxes. */
export function shownChildren({ children = [] }: OutputNode): readonly OutputNode[] {
  return children.some(isSilent)
    ? children.flatMap((child) => (isSilent(child) ? shownChildren(child) : [child]))
    : children;
}

const BOXES = roleSet('generic', 'group', 'rowgroup');
const LINES = roleSet('scrollbar', 'separator');

/** A box for layout, a line or a scroll bar: its line would say nothing. */
export function isSilent(node: OutputNode): boolean {
  const mayBe = node.children === undefined ? LINES : BOXES;
  return (
    mayBe.has(node.role) &&
    node.name === undefined &&
    BESIDE_TEXT.every((field) => field === 'children' || node[field] === undefined)
  );
}

/** Whether an element may follow another on its line. */
export function joins(last: OutputNode | undefined, next: OutputNode): boolean {
  return last !== undefined && last.role === next.role && isEntry(last) && isEntry(next);
}

function isEntry(node: OutputNode): boolean {
  return (
    (node.children?.length ?? 0) === 0 &&
    (node.name !== undefined || node.ref !== undefined) &&
    node.elided_reason === undefined &&
    node.offscreen === undefined &&
    node.caret === undefined &&
    // A row of a terminal is a line.
    node.source !== 'terminal' &&
    !isPlainRow(node)
  );
}

/** An element on the line of its neighbour: its line without role and indentation. */
export function outlineEntry(node: OutputNode): string {
  return outlineLine(node, 0).slice(node.role.length + 1);
}

/** A read-only row of a terminal: its text after a bar, so that it is not mistaken for an element. */
export function rowLine(text: string): string {
  return `| ${reveal(clip(text, LONGEST_ROW))}`;
}

/** What makes a row more than its text. */
const BESIDE_TEXT = [
  'ref',
  'value',
  'states',
  'bounds',
  'actions',
  'elided_reason',
  'offscreen',
  'children',
] as const;

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
  const gaps = [...missing(node), ...scrolledOut(node.offscreen)];
  if (gaps.length > 0) line += ` (${gaps.join(', ')})`;
  const hasMore = node.elided_reason !== undefined && node.elided_reason !== 'undescribed';
  if (node.ref !== undefined) line += ` ${node.ref}${hasMore ? '+' : ''}`;
  if (node.value !== undefined)
    line += ` value=${quoteClipped(node.value, longestValue(node.value))}${length(node)}`;
  for (const state of node.states ?? []) line += ` ${state}`;
  if (node.caret !== undefined) line += ` caret=${node.caret}`;
  if (node.bounds !== undefined)
    line += ` [${node.bounds.x},${node.bounds.y} ${node.bounds.width}x${node.bounds.height}]`;
  if (node.actions !== undefined)
    line += ` actions=${node.actions.map((action) => (PLAIN_ACTION.test(action) ? action : quote(action))).join(',')}`;
  return `${line}\n`;
}

const PLAIN_ACTION = /^[\w.-]+$/;

function missing(node: OutputNode): string[] {
  if (node.elided === undefined && node.elided_reason === undefined) return [];
  const unit = node.children === undefined || node.children.length === 0 ? 'items' : 'more';
  const count = node.elided === undefined ? unit : `${node.elided} ${unit}`;
  const reason = node.elided_reason;
  if (reason === 'undescribed') return ['drawn, not described'];
  return reason === 'deadline' || reason === 'error' || reason === 'cycle' ? [count, reason] : [count];
}

/** What is scrolled out of a container, as in `12 up, 958 down`. */
export function scrolledOut(offscreen: OffScreen | undefined): string[] {
  if (offscreen === undefined) return [];
  return SCROLL_DIRECTIONS.flatMap((way) => {
    const count = offscreen[way];
    return count === undefined ? [] : [`${count} ${way}`];
  });
}

function longestValue(value: string): number {
  return value.includes('\n') ? LONGEST_LINES : LONGEST_OUTLINE_TEXT;
}

function length(node: OutputNode): string {
  const value = node.value ?? '';
  const whole =
    node.value_length ??
    (value.length > longestValue(value) && !value.endsWith('…') ? value.length : undefined);
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
