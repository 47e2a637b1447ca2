import { isRecord } from '../../model/is-record.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';

const KEY = 'x-mcp-header';
/** `token` of RFC 9110. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Schemas, or lists of them, below which no parameter can be found without a value at hand. */
const BELOW = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
] as const;
/** The same, by name. */
const NAMED_BELOW = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'] as const;

/**
 * Why parameters of a tool cannot be copied into headers as its schema demands, as a phrase. A client of 2026-07-28 has to leave out such a tool: a
 * proxy would see headers that mean something else than the call. The schema is bounded already.
 */
export function headerProblem(schema: unknown): string | undefined {
  const names = new Set<string>();
  const problemIn = (node: unknown, isParameter: boolean, isRoot: boolean): string | undefined => {
    if (Array.isArray(node)) return firstOf(node, (inside) => problemIn(inside, false, false));
    if (!isRecord(node)) return undefined;
    if (Object.hasOwn(node, KEY)) {
      const name = node[KEY];
      if (!isParameter || isRoot) return `${KEY} stands where no parameter is`;
      if (typeof name !== 'string' || !TOKEN.test(name))
        return `${quoteClipped(String(name), 40)} is not a name of a header`;
      if (!TYPES.includes(node['type']))
        return `the header ${name.slice(0, 40)} is for a parameter that is not a string, an integer or a boolean`;
      if (names.has(name.toLowerCase())) return `the header ${name.slice(0, 40)} is for two parameters`;
      names.add(name.toLowerCase());
    }
    return (
      firstOf(valuesOf(node['properties']), (inside) => problemIn(inside, isParameter, false)) ??
      firstOf(BELOW, (key) => problemIn(node[key], false, false)) ??
      firstOf(NAMED_BELOW, (key) => firstOf(valuesOf(node[key]), (inside) => problemIn(inside, false, false)))
    );
  };
  return problemIn(schema, true, true);
}

function valuesOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}

function firstOf<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
