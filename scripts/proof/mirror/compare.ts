import type { TreeNode } from '../../../src/model/tree/node.ts';
import type { TreeResult } from '../../../src/ports/desktop/elements.ts';

/** Where two readings of one window differ: the place, the field and both values. */
export interface Difference {
  readonly place: string;
  readonly role: string;
  readonly field: string;
  readonly mirrored: string;
  readonly fresh: string;
}

/** Every difference, nodes and fields; of a node with other children only that is told. */
export function differences(mirrored: TreeResult, fresh: TreeResult): readonly Difference[] {
  const found: Difference[] = [];
  const note = (place: string, role: string, field: string, a: unknown, b: unknown): void => {
    const [one, other] = [JSON.stringify(a) ?? 'absent', JSON.stringify(b) ?? 'absent'];
    if (one !== other) found.push({ place, role, field, mirrored: one, fresh: other });
  };
  const compare = (a: TreeNode, b: TreeNode, place: string): void => {
    const here = `${place}/${b.role} ${JSON.stringify(b.name)}`;
    const fields = new Set<string>([...Object.keys(a), ...Object.keys(b)]);
    fields.delete('children');
    // Made anew for every reading.
    if (a.slot !== undefined && b.slot !== undefined) fields.delete('handle');
    const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
    for (const field of fields) note(here, b.role, field, left.get(field), right.get(field));
    const ids = (node: TreeNode): readonly string[] =>
      node.children.map(({ handle, slot }) => (slot === undefined ? handle.path : JSON.stringify(slot)));
    const before = found.length;
    note(here, b.role, 'children', ids(a), ids(b));
    if (found.length > before) return;
    b.children.forEach((child, index) => {
      const twin = a.children[index];
      if (twin) compare(twin, child, here);
    });
  };
  compare(mirrored.root, fresh.root, '');
  note('', '', 'complete', mirrored.incompleteReasons, fresh.incompleteReasons);
  return found;
}
