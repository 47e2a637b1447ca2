import { ELISION_REASONS, type OutputNode } from '../../src/model/tree/node.ts';
import { isRole, type Role } from '../../src/model/tree/role.ts';
import { STATES } from '../../src/model/tree/state.ts';
import { unquote } from '../../src/model/text/untrusted-text.ts';

/** Parses an outline: role, name, ref, value, states, bounds, actions, and what was left out. Proves that the form is unambiguous. */
export function parseOutline(text: string): OutputNode {
  const path: OutputNode[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const depth = indent / 2;
    const [node, ...neighbours] = parseLine(line.slice(indent));
    const parent = path[depth - 1];
    if (!Number.isInteger(depth) || depth > path.length || (depth === 0) !== (path.length === 0)) {
      throw new SyntaxError(`Indentation does not fit: ${line}`);
    }
    if (parent === undefined && neighbours.length > 0) throw new SyntaxError(`Two roots: ${line}`);
    if (parent !== undefined) (parent.children ??= []).push(node, ...neighbours);
    path.length = depth;
    // What shares its line has nothing inside.
    if (neighbours.length === 0) path.push(node);
  }
  const root = path[0];
  if (root === undefined) throw new SyntaxError('The outline is empty');
  return root;
}

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const WAYS = 'up|down|left|right';
const GAPS = String.raw`(?:(?<count>\d+) )?(?:items|more)(?<reason>, [a-z_]+)?`;
const ENTRY = new RegExp(
  String.raw`^(?:(?<guessed>~?)(?<name>${TEXT}) ?)?(?:\((?:${GAPS}(?<offscreen>(?:, \d+ (?:${WAYS}))*)|(?<only>\d+ (?:${WAYS})(?:, \d+ (?:${WAYS}))*))\) ?)?` +
    String.raw`(?:(?<ref>@[ewt]\d+)(?<elided>\+?) ?)?(?:value=(?<value>${TEXT})(?: \((?<length>\d+) chars\))? ?)?(?<states>(?:[a-z]+(?: |$))*)` +
    String.raw`(?:\[(?<bounds>-?\d+,-?\d+ \d+x\d+)\] ?)?(?:actions=(?<actions>(?:${TEXT}|[\w.-]+)(?:,(?:${TEXT}|[\w.-]+))*) ?)?`,
);

/** The elements of a line: one, or several of the same role. */
function parseLine(line: string): [OutputNode, ...OutputNode[]] {
  const role = /^[a-z]+/.exec(line)?.[0] ?? '';
  if (!isRole(role)) throw new SyntaxError(`Not a line of an outline: ${line}`);
  let rest = line.slice(role.length);
  if (rest !== '' && !rest.startsWith(' ')) throw new SyntaxError(`Not a line of an outline: ${line}`);
  rest = rest.slice(1);
  const nodes: OutputNode[] = [];
  do {
    const parts = ENTRY.exec(rest);
    if (parts?.groups === undefined || (parts[0] === '' && rest !== ''))
      throw new SyntaxError(`Not a line of an outline: ${line}`);
    nodes.push(entry(role, parts.groups));
    rest = rest.slice(parts[0].length);
  } while (rest !== '');
  const [first, ...others] = nodes;
  if (first === undefined) throw new SyntaxError(`Not a line of an outline: ${line}`);
  return [first, ...others];
}

function entry(role: Role, parts: Readonly<Record<string, string | undefined>>): OutputNode {
  const node: OutputNode = { role };
  if (parts['name'] !== undefined) node.name = unquote(parts['name']);
  if (parts['guessed'] === '~') node.name_from = 'neighbour';
  if (parts['ref'] !== undefined) node.ref = parts['ref'];
  if (parts['value'] !== undefined) node.value = unquote(parts['value']);
  if (parts['length'] !== undefined) node.value_length = Number(parts['length']);
  if (parts['count'] !== undefined) node.elided = Number(parts['count']);
  const reason = ELISION_REASONS.find((known) => `, ${known}` === parts['reason']);
  if (reason !== undefined) node.elided_reason = reason;
  const ways = [...(parts['offscreen'] ?? parts['only'] ?? '').matchAll(/(\d+) (up|down|left|right)/g)];
  if (ways.length > 0)
    node.offscreen = Object.fromEntries(ways.map(([, count, way]) => [String(way), Number(count)]));
  const states = (parts['states'] ?? '').split(' ').filter((word) => word !== '');
  if (states.length > 0) node.states = states.map(knownState);
  const [x = 0, y = 0, width = 0, height = 0] = (parts['bounds'] ?? '').match(/-?\d+/g)?.map(Number) ?? [];
  if (parts['bounds'] !== undefined) node.bounds = { x, y, width, height };
  if (parts['actions'] !== undefined)
    node.actions = parts['actions'].match(new RegExp(`${TEXT}|[^,]+`, 'g'))?.map(plain) ?? [];
  return node;
}

function knownState(word: string): (typeof STATES)[number] {
  const state = STATES.find((known) => known === word);
  if (state === undefined) throw new SyntaxError(`Unknown state: ${word}`);
  return state;
}

function plain(action: string): string {
  return action.startsWith('"') ? unquote(action) : action;
}
