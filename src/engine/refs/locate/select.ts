import type { LocatorFilter, LocatorStep } from '../../../model/refs/locator.ts';
import type { Bounds } from '../../../model/tree/bounds.ts';
import { comparable } from '../../../model/tree/distill/draft.ts';
import { isInteractive, roleSet } from '../../../model/tree/role.ts';
import type { OutputNode, TreeNode } from '../../../model/tree/node.ts';
import { parseCellRange } from '../../../model/tree/cell-range.ts';
import { isCellIn } from '../../tree/search/named-cells.ts';
import type { SearchEntry } from '../../tree/search/entries.ts';
import { textsOf } from '../../tree/search/match.ts';
import { compilePath } from '../../tree/search/path-query.ts';
import { compilePattern } from '../../tree/search/pattern.ts';

/** What the steps of a locator select. */
export interface Selection {
  /** In document order. */
  readonly entries: readonly SearchEntry[];
  /** The step that matched nothing, if one did. */
  readonly failedAt?: number | undefined;
  /** The elements that the last step searched. */
  readonly searched: readonly SearchEntry[];
  /** How many matched, if `nth` is greater than that. */
  readonly counted?: number | undefined;
}

/** Follows the steps through the elements of a window. */
export function select(
  steps: readonly LocatorStep[],
  all: readonly SearchEntry[],
  sources: ReadonlyMap<OutputNode, TreeNode>,
): Selection {
  let searched = all;
  let entries = all;
  for (const [index, step] of steps.entries()) {
    if (index > 0) searched = insideOf(entries, all);
    const hits = takeStep(step, searched, sources);
    const { nth } = step;
    entries = nth === undefined ? hits : hits.slice(nth - 1, nth);
    if (entries.length > 0) continue;
    return { entries, failedAt: index, searched, ...(hits.length > 0 ? { counted: hits.length } : {}) };
  }
  return { entries, searched };
}

/** The entries that pass the filters of a step. */
export function passing(
  filters: readonly LocatorFilter[],
  entries: readonly SearchEntry[],
): readonly SearchEntry[] {
  return filters.reduce(
    (left, filter) =>
      left.filter(
        (
          (passes) => (_entry, index) =>
            passes[index]
        )(verdicts(filter, left)),
      ),
    entries,
  );
}

function verdicts(filter: LocatorFilter, entries: readonly SearchEntry[]): readonly boolean[] {
  if ('state' in filter) {
    const { state, holds } = filter;
    return entries.map(({ node }) => (node.states?.includes(state) ?? false) === holds);
  }
  const { attribute, operator, text } = filter;
  const texts = entries.map(({ node }) => node[attribute] ?? '');
  if (operator === '~=') return compilePattern(text)(texts.map((actual) => [actual]));
  const wanted = text.toLowerCase();
  return texts.map((actual) => (operator === '=' ? actual === text : actual.toLowerCase().includes(wanted)));
}

function takeStep(
  step: LocatorStep,
  entries: readonly SearchEntry[],
  sources: ReadonlyMap<OutputNode, TreeNode>,
): readonly SearchEntry[] {
  if (step.kind === 'cell') {
    const range = parseCellRange(step.value);
    const named = entries.filter(({ node }) => range !== undefined && isCellIn(range, node, sources));
    return passing(step.filters, named);
  }
  if (step.kind === 'text') return innermost(passing(step.filters, kindOf(step, entries)));
  return passing(step.filters, kindOf(step, entries));
}

function kindOf(
  step: Exclude<LocatorStep, { kind: 'cell' }>,
  entries: readonly SearchEntry[],
): readonly SearchEntry[] {
  if (step.kind === 'role') return entries.filter(({ node }) => node.role === step.role);
  const { value } = step;
  if (step.kind === 'id') return entries.filter(({ node }) => node.identifier === value);
  if (step.kind === 'label') return fieldsLabelled(value, entries);
  if (step.kind === 'path') return entries.filter(compilePath(value));
  const wanted = value.toLowerCase();
  return entries.filter(({ node }) => textsOf(node).some((text) => text.toLowerCase().includes(wanted)));
}

/**
 * Of nested elements with the same text, the innermost is selected, but a text inside a control counts as the control. Containers of a control
 * with the text are never selected.
 */
function innermost(hits: readonly SearchEntry[]): readonly SearchEntry[] {
  const left = new Set(hits);
  for (const entry of hits) {
    for (let outer = entry.parent; outer; outer = outer.parent) {
      if (!left.has(outer)) continue;
      if (isInteractive(outer.node.role) && !isInteractive(entry.node.role)) {
        left.delete(entry);
        break;
      }
      left.delete(outer);
    }
  }
  return hits.filter((entry) => left.has(entry));
}

function insideOf(containers: readonly SearchEntry[], all: readonly SearchEntry[]): readonly SearchEntry[] {
  const outer = new Set(containers);
  const inside = new Set<SearchEntry>();
  // Parents come before their children.
  return all.filter((entry) => {
    const { parent } = entry;
    if (parent === undefined || !(outer.has(parent) || inside.has(parent))) return false;
    inside.add(entry);
    return true;
  });
}

/** Roles that a label may describe. */
const FIELDS = roleSet(
  'checkbox',
  'combobox',
  'listbox',
  'progressbar',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'textbox',
);
const TEXTS = roleSet('text', 'caption', 'heading', 'paragraph');

/** The fields named like the label; if there are none, the fields nearest to a text like it that have no nearer text. */
function fieldsLabelled(label: string, entries: readonly SearchEntry[]): readonly SearchEntry[] {
  const wanted = comparable(label);
  const isLabel = ({ node }: SearchEntry): boolean => comparable(node.name ?? node.value ?? '') === wanted;
  const fields = entries.filter(({ node }) => FIELDS.has(node.role));
  const named = fields.filter(({ node }) => comparable(node.name ?? '') === wanted);
  if (named.length > 0) return named;
  const texts = entries.filter(({ node }) => TEXTS.has(node.role));
  const near = new Set(texts.filter(isLabel).flatMap((text) => nearestTo(text, fields, texts)));
  return entries.filter((entry) => near.has(entry));
}

function nearestTo(
  text: SearchEntry,
  fields: readonly SearchEntry[],
  texts: readonly SearchEntry[],
): readonly SearchEntry[] {
  const distances = fields.map((field) => distance(text.node.bounds, field.node.bounds));
  const least = Math.min(...distances);
  if (!Number.isFinite(least)) return [];
  return fields.filter(
    (field, index) =>
      distances[index] === least &&
      texts.every((other) => other === text || distance(other.node.bounds, field.node.bounds) > least),
  );
}

/** Pixels from a text to a field on the same line, or right below it; infinite for any other. */
function distance(text: Bounds | undefined, field: Bounds | undefined): number {
  if (text === undefined || field === undefined) return Infinity;
  const right = field.x - text.x - text.width;
  const left = text.x - field.x - field.width;
  const below = field.y - text.y - text.height;
  const isSameLine = below < 0 && text.y < field.y + field.height;
  if (isSameLine) return Math.max(0, right, left);
  return right < 0 && left < 0 && below >= 0 && below < 2 * text.height ? below : Infinity;
}
