import { ELISION_REASONS, type OutputNode } from '../../src/model/tree/node.ts';
import { isRole } from '../../src/model/tree/role.ts';
import { STATES } from '../../src/model/tree/state.ts';
import { unquote } from '../../src/model/text/untrusted-text.ts';

/** Parses an outline: role, name, ref, value, states, bounds, actions, and what was left out. Proves that the form is unambiguous. */
export function parseOutline(text: string): OutputNode {
  const path: OutputNode[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const depth = indent / 2;
    const node = parseLine(line.slice(indent));
    const parent = path[depth - 1];
    if (!Number.isInteger(depth) || depth > path.length || (depth === 0) !== (path.length === 0)) {
      throw new SyntaxError(`Indentation does not fit: ${line}`);
    }
    if (parent !== undefined) (parent.children ??= []).push(node);
    path.length = depth;
    path.push(node);
  }
  const root = path[0];
  if (root === undefined) throw new SyntaxError('The outline is empty');
  return root;
}

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const LINE = new RegExp(
  String.raw`^(?<role>[a-z]+)(?: (?<guessed>~?)(?<name>${TEXT}))?(?: \((?:(?<count>\d+) )?(?:items|more)(?<reason>, [a-z_]+)?\))?` +
    String.raw`(?: (?<ref>@[ewt]\d+)(?<elided>\+?))?(?: value=(?<value>${TEXT})(?: \((?<length>\d+) chars\))?)?(?<states>(?: [a-z]+)*)` +
    String.raw`(?: \[(?<bounds>-?\d+,-?\d+ \d+x\d+)\])?(?: actions=(?<actions>.*))?$`,
);

function parseLine(line: string): OutputNode {
  const parts = LINE.exec(line)?.groups;
  const role = parts?.['role'] ?? '';
  if (parts === undefined || !isRole(role)) throw new SyntaxError(`Not a line of an outline: ${line}`);
  const node: OutputNode = { role };
  if (parts['name'] !== undefined) node.name = unquote(parts['name']);
  if (parts['guessed'] === '~') node.name_from = 'neighbour';
  if (parts['ref'] !== undefined) node.ref = parts['ref'];
  if (parts['value'] !== undefined) node.value = unquote(parts['value']);
  if (parts['length'] !== undefined) node.value_length = Number(parts['length']);
  if (parts['count'] !== undefined) node.elided = Number(parts['count']);
  const reason = ELISION_REASONS.find((known) => `, ${known}` === parts['reason']);
  if (reason !== undefined) node.elided_reason = reason;
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
