import type { NodeDetails } from '../ports/desktop.ts';

/** What an element holds, as text; `undefined` where it holds nothing that can be read. */
export function heldValue(node: NodeDetails): string | undefined {
  if (isNumeric(node)) return String(node.range?.current);
  return node.text ?? node.value;
}

export type Sameness = (read: string, wanted: string) => boolean;

/** Numbers are equal as numbers (42 and 42.0), and toolkits store them with rounding; in a text 007 is not 7. */
export function sameness(node: NodeDetails): Sameness {
  if (!isNumeric(node)) return (read, wanted) => read === wanted;
  return (read, wanted) => {
    const [a, b] = [Number(read), Number(wanted)];
    if (wanted.trim() === '' || !Number.isFinite(a) || !Number.isFinite(b)) return false;
    return Math.abs(a - b) <= Math.max(Math.abs(b) * 1e-9, Number.EPSILON);
  };
}

function isNumeric(node: NodeDetails): boolean {
  return node.range !== undefined && node.role !== 'textbox';
}
