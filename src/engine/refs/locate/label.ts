import type { Bounds } from '../../../model/tree/bounds.ts';
import { comparable } from '../../../model/tree/distill/draft.ts';
import type { Role } from '../../../model/tree/role.ts';
import type { SearchEntry } from '../../tree/search/entries.ts';

/** What a label stands beside. */
const FIELDS: ReadonlySet<Role> = new Set<Role>([
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
]);
const TEXTS: ReadonlySet<Role> = new Set<Role>(['text', 'caption', 'heading', 'paragraph']);

/** The fields that are called by the label; where none is, those that stand nearest to a text that says it, and to which no other text is nearer. */
export function fieldsLabelled(label: string, entries: readonly SearchEntry[]): readonly SearchEntry[] {
  const wanted = comparable(label);
  const says = ({ node }: SearchEntry): boolean => comparable(node.name ?? node.value ?? '') === wanted;
  const fields = entries.filter(({ node }) => FIELDS.has(node.role));
  const called = fields.filter(({ node }) => comparable(node.name ?? '') === wanted);
  if (called.length > 0) return called;
  const texts = entries.filter(({ node }) => TEXTS.has(node.role));
  const near = new Set(texts.filter(says).flatMap((text) => nearestTo(text, fields, texts)));
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
