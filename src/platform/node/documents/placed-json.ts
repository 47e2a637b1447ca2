import type { PlacedJson, PlacedMember, PlacedValue, TextPlace } from '../../../ports/documents.ts';
import { parseJson } from './jsonc-library.ts';
import type { JsonNode } from './jsonc-library.ts';

/** A whole JSON text with the place of every value; duplicate keys are all included. */
export function readPlacedJson(text: string): PlacedJson {
  const { root, problem } = parseJson(text, { comments: false });
  if (problem !== undefined) return { problem };
  if (root === undefined) return { root };
  const placeOf = placesIn(text);
  const valueOf = (node: JsonNode): PlacedValue => {
    const place = placeOf(node.offset);
    const { type, children = [], value } = node;
    if (type === 'array') return { kind: 'array', place, items: children.map((child) => valueOf(child)) };
    if (type === 'object')
      return { kind: 'object', place, members: children.flatMap((child) => memberOf(child)) };
    return { kind: 'scalar', place, value };
  };
  const memberOf = ({ children: [key, value] = [] }: JsonNode): PlacedMember[] =>
    key === undefined || value === undefined
      ? []
      : [{ name: String(key.value), place: placeOf(key.offset), value: valueOf(value) }];
  return { root: valueOf(root) };
}

/** By binary search, as there may be as many lookups as lines. */
function placesIn(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
