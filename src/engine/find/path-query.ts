import { DeskterityError } from '../../model/errors.ts';
import { parseRole } from '../../model/role.ts';
import type { SearchEntry } from './match.ts';

interface Step {
  /** `/`: a child of the step before; `//`: anywhere below it. */
  readonly axis: 'child' | 'descendant';
  /** `undefined` for `*`. */
  readonly role: string | undefined;
  readonly conditions: readonly Condition[];
  /** 1-based position among the parent's children of this role that meet the conditions before it. */
  readonly position: number | undefined;
}

interface Condition {
  readonly attribute: 'name' | 'value' | 'identifier' | 'description' | 'state';
  readonly operator: 'is' | 'contains';
  readonly text: string;
}

/** What stands in brackets; a name in quotes may hold brackets of its own. */
const INSIDE = String.raw`(?:"[^"]*"|'[^']*'|[^\]"'])*`;
const STEP = new RegExp(String.raw`^(\/{1,2})?([A-Za-z][\w-]*|\*)((?:\[${INSIDE}\])*)`);
const BRACKETS = new RegExp(String.raw`\[(${INSIDE})\]`, 'g');
const CONDITION = /^@(name|value|identifier|description|state)\s*=\s*(?:"([^"]*)"|'([^']*)')$/;
const CONTAINS = /^contains\(\s*@(name|value|identifier|description)\s*,\s*(?:"([^"]*)"|'([^']*)')\s*\)$/;

/**
 * A small part of XPath 1.0 over roles: `window/toolbar/button[2]`, `//listitem[@name="Inbox"]//button[contains(@name,"Del")]`.
 * A path without a leading slash may start anywhere.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function compilePath(query: string): (entry: SearchEntry) => boolean {
  const steps = parse(query.trim());
  const search = new PathSearch(steps);
  return (entry) => search.matches(entry, steps.length - 1);
}

function parse(query: string): Step[] {
  const steps: Step[] = [];
  let rest = query;
  while (rest !== '') {
    const match = STEP.exec(rest);
    const slashes = match?.[1];
    if (!match || (slashes === undefined && steps.length > 0))
      throw invalid(query, `cannot be read from ${JSON.stringify(rest.slice(0, 40))} on`);
    steps.push(
      parseStep(
        query,
        steps.length === 0 && slashes === undefined ? '//' : (slashes ?? '/'),
        match[2] ?? '*',
        match[3] ?? '',
      ),
    );
    rest = rest.slice(match[0].length);
  }
  if (steps.length === 0) throw invalid(query, 'is empty');
  return steps;
}

function parseStep(query: string, slashes: string, word: string, brackets: string): Step {
  const role = word === '*' ? undefined : parseRole(word);
  if (word !== '*' && role === undefined) throw invalid(query, `names no role with ${JSON.stringify(word)}`);
  const conditions: Condition[] = [];
  let position: number | undefined;
  for (const [, inside = ''] of brackets.matchAll(BRACKETS)) {
    const text = inside.trim();
    const equal = CONDITION.exec(text);
    const contains = CONTAINS.exec(text);
    if (/^[1-9]\d*$/.test(text)) position = Number(text);
    else if (equal)
      conditions.push({
        attribute: toAttribute(equal[1]),
        operator: 'is',
        text: (equal[2] ?? equal[3] ?? '').toLowerCase(),
      });
    else if (contains)
      conditions.push({
        attribute: toAttribute(contains[1]),
        operator: 'contains',
        text: (contains[2] ?? contains[3] ?? '').toLowerCase(),
      });
    else throw invalid(query, `has a condition that is not understood: [${text}]`);
  }
  return { axis: slashes === '//' ? 'descendant' : 'child', role, conditions, position };
}

function toAttribute(text: string | undefined): Condition['attribute'] {
  return text === 'value' || text === 'identifier' || text === 'description' || text === 'state'
    ? text
    : 'name';
}

// Each question is answered once, or a path of many `//*` would try every combination of ancestors.
class PathSearch {
  private readonly steps: readonly Step[];
  private readonly known: readonly Map<SearchEntry, boolean>[];
  private readonly knownAbove: readonly Map<SearchEntry, boolean>[];

  constructor(steps: readonly Step[]) {
    this.steps = steps;
    this.known = steps.map(() => new Map());
    this.knownAbove = steps.map(() => new Map());
  }

  /** Whether the steps up to `last` lead to the entry. */
  matches(entry: SearchEntry, last: number): boolean {
    return remembered(this.known[last], entry, () => {
      const step = this.steps[last];
      if (!step || !meets(entry, step)) return false;
      if (last === 0) return step.axis === 'descendant' || entry.parent === undefined;
      if (step.axis === 'child') return entry.parent !== undefined && this.matches(entry.parent, last - 1);
      return this.matchesAbove(entry, last - 1);
    });
  }

  private matchesAbove(entry: SearchEntry, last: number): boolean {
    return remembered(this.knownAbove[last], entry, () => {
      const { parent } = entry;
      return parent !== undefined && (this.matches(parent, last) || this.matchesAbove(parent, last));
    });
  }
}

function remembered(
  answers: Map<SearchEntry, boolean> | undefined,
  entry: SearchEntry,
  answer: () => boolean,
): boolean {
  const known = answers?.get(entry);
  if (known !== undefined) return known;
  const found = answer();
  answers?.set(entry, found);
  return found;
}

function meets(entry: SearchEntry, step: Step): boolean {
  if (!fits(entry, step)) return false;
  if (step.position === undefined) return true;
  const siblings = entry.parent?.children ?? [entry];
  return siblings.filter((sibling) => fits(sibling, step))[step.position - 1] === entry;
}

function fits(entry: SearchEntry, step: Step): boolean {
  if (step.role !== undefined && entry.node.role !== step.role) return false;
  return step.conditions.every((condition) => {
    if (condition.attribute === 'state')
      return entry.node.states?.some((state) => state === condition.text) ?? false;
    const actual = (entry.node[condition.attribute] ?? '').toLowerCase();
    return condition.operator === 'is' ? actual === condition.text : actual.includes(condition.text);
  });
}

function invalid(query: string, why: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `The path ${JSON.stringify(query.slice(0, 120))} ${why}.`, {
    suggestion:
      'Write roles separated by slashes, such as //dialog//button[@name="OK"] or toolbar/button[2].',
  });
}
