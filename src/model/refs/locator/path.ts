import { DeskterityError } from '../../effects/errors.ts';
import { parseRole } from '../../tree/role.ts';

export interface PathStep {
  /** `/` or `>`: a child of the previous step; `//`: any descendant. */
  readonly axis: 'child' | 'descendant';
  /** `undefined` for `*`. */
  readonly role: string | undefined;
  readonly conditions: readonly PathCondition[];
  /** 1-based position among the parent's children of this role that meet the conditions before it. */
  readonly position: number | undefined;
}

export interface PathCondition {
  readonly attribute: 'name' | 'value' | 'identifier' | 'description' | 'state';
  readonly operator: 'is' | 'contains';
  readonly text: string;
}

/** The content of brackets; a quoted name may contain brackets. */
const INSIDE = String.raw`(?:"[^"]*"|'[^']*'|[^\]"'])*`;
const STEP = new RegExp(String.raw`^(\/{1,2}|[ ]*>[ ]*)?([A-Za-z][\w-]*|\*)((?:\[${INSIDE}\])*)`);
const BRACKETS = new RegExp(String.raw`\[(${INSIDE})\]`, 'g');
const CONDITION = /^@(name|value|identifier|description|state)\s*=\s*(?:"([^"]*)"|'([^']*)')$/;
const CONTAINS = /^contains\(\s*@(name|value|identifier|description)\s*,\s*(?:"([^"]*)"|'([^']*)')\s*\)$/;

/**
 * A small part of XPath 1.0 over roles: `window/toolbar/button[2]`, `//listitem[@name="Inbox"]//button[contains(@name,"Del")]`. `>` means
 * `/` between two steps. A path without a leading slash may start anywhere.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function parsePath(text: string): PathStep[] {
  const query = text.trim();
  const steps: PathStep[] = [];
  let rest = query;
  while (rest !== '') {
    const match = STEP.exec(rest);
    const before = match?.[1]?.trim();
    const isFirst = steps.length === 0;
    if (!match || (before === undefined && !isFirst) || (before === '>' && isFirst))
      throw invalid(query, `cannot be read from ${JSON.stringify(rest.slice(0, 40))} on`);
    const axis = before === '//' || before === undefined ? 'descendant' : 'child';
    steps.push(parseStep(query, axis, match[2] ?? '*', match[3] ?? ''));
    rest = rest.slice(match[0].length);
  }
  if (steps.length === 0) throw invalid(query, 'is empty');
  return steps;
}

function parseStep(query: string, axis: PathStep['axis'], word: string, brackets: string): PathStep {
  const role = word === '*' ? undefined : parseRole(word);
  if (word !== '*' && role === undefined) throw invalid(query, `names no role with ${JSON.stringify(word)}`);
  const conditions: PathCondition[] = [];
  let position: number | undefined;
  for (const [, inside = ''] of brackets.matchAll(BRACKETS)) {
    const text = inside.trim();
    const condition = conditionIn(CONDITION.exec(text), 'is') ?? conditionIn(CONTAINS.exec(text), 'contains');
    if (/^[1-9]\d*$/.test(text)) position = Number(text);
    else if (condition !== undefined) conditions.push(condition);
    else throw invalid(query, `has an invalid condition: [${text}]`);
  }
  return { axis, role, conditions, position };
}

function conditionIn(
  match: RegExpExecArray | null,
  operator: PathCondition['operator'],
): PathCondition | undefined {
  if (match === null) return undefined;
  const [, attribute, quoted, single = ''] = match;
  return { attribute: toAttribute(attribute), operator, text: (quoted ?? single).toLowerCase() };
}

function toAttribute(text: string | undefined): PathCondition['attribute'] {
  return text === 'value' || text === 'identifier' || text === 'description' || text === 'state'
    ? text
    : 'name';
}

function invalid(query: string, why: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `The path ${JSON.stringify(query.slice(0, 120))} ${why}.`, {
    suggestion:
      'Write roles separated by slashes, such as //dialog//button[@name="OK"] or toolbar/button[2].',
  });
}
