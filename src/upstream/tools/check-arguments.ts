import { isRecord } from '../../model/is-record.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { ServerSchema } from '../../ports/upstream/servers.ts';

/**
 * Schemas come from other programs: a validator that compiles them, follows every reference or tries their patterns could be kept busy by one. This
 * one takes a bounded number of steps, knows the keywords that most tools use, and leaves the rest to the server, which checks its input itself.
 */
const MOST_STEPS = 20_000;
const DEEPEST = 32;

interface Checking {
  readonly root: ServerSchema;
  steps: number;
}

/** Why arguments do not fit a schema, as a phrase such as `"limit" is not an integer`; `undefined` if nothing was found. */
export function argumentProblem(schema: ServerSchema, input: unknown): string | undefined {
  return problemOf(schema, input, { path: '', depth: 0 }, { root: schema, steps: 0 });
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

function problemOf(schema: unknown, value: unknown, place: Place, checking: Checking): string | undefined {
  checking.steps += 1;
  if (checking.steps > MOST_STEPS || place.depth > DEEPEST) return undefined;
  if (schema === false) return `${label(place)} is not accepted`;
  if (!isRecord(schema)) return undefined;
  const deeper = { ...place, depth: place.depth + 1 };
  const target = referenced(schema, checking.root);
  if (target !== undefined) {
    const problem = problemOf(target, value, deeper, checking);
    if (problem !== undefined) return problem;
  }
  return (
    typeProblem(schema['type'], value, place) ??
    valueProblem(schema, value, place) ??
    objectProblem(schema, value, deeper, checking) ??
    listProblem(schema, value, deeper, checking) ??
    branchProblem(schema, value, deeper, checking)
  );
}

/** Only definitions of the schema itself. */
function referenced(schema: ServerSchema, root: ServerSchema): unknown {
  const reference = schema['$ref'];
  const found =
    typeof reference === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) : undefined;
  const [, kind = '', name = ''] = found ?? [];
  const all = root[kind];
  return isRecord(all) && Object.hasOwn(all, name) ? all[name] : undefined;
}

function typeProblem(type: unknown, value: unknown, place: Place): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string');
  if (types.length === 0 || types.some((one) => isOfType(one, value))) return undefined;
  return `${label(place)} is not of type ${types
    .slice(0, 5)
    .map((one) => clip(one, 20))
    .join(' or ')}`;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    // An unknown type: the server knows.
    default:
      return true;
  }
}

const MOST_SHOWN = 10;

function valueProblem(schema: ServerSchema, value: unknown, place: Place): string | undefined {
  const { enum: accepted, minimum, maximum, minLength, maxLength } = schema;
  if (Array.isArray(accepted) && typeof value !== 'object' && !accepted.includes(value)) {
    const shown = accepted.slice(0, MOST_SHOWN).map((one) => quoteClipped(String(one), 40));
    return `${label(place)} is none of ${shown.join(', ')}${accepted.length > MOST_SHOWN ? ', …' : ''}`;
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return `${label(place)} is less than ${minimum}`;
    if (typeof maximum === 'number' && value > maximum) return `${label(place)} is greater than ${maximum}`;
  }
  if (typeof value === 'string') {
    if (typeof minLength === 'number' && value.length < minLength)
      return `${label(place)} has fewer than ${minLength} characters`;
    // Some characters are two units long.
    if (typeof maxLength === 'number' && value.length > maxLength * 2)
      return `${label(place)} has more than ${maxLength} characters`;
  }
  return undefined;
}

function objectProblem(
  { required, properties, additionalProperties, patternProperties, allOf, $ref }: ServerSchema,
  value: unknown,
  place: Place,
  checking: Checking,
): string | undefined {
  if (!isRecord(value)) return undefined;
  const missing = Array.isArray(required)
    ? required.find((key): key is string => typeof key === 'string' && !Object.hasOwn(value, key))
    : undefined;
  if (missing !== undefined) return `${inside(place, missing)} is missing`;
  const known = isRecord(properties) ? properties : {};
  for (const [key, one] of Object.entries(value)) {
    const path = { ...place, path: place.path === '' ? key : `${place.path}.${key}` };
    if (Object.hasOwn(known, key)) {
      const problem = problemOf(known[key], one, path, checking);
      if (problem !== undefined) return problem;
    } else if (
      additionalProperties === false &&
      [patternProperties, allOf, $ref].every((other) => other === undefined)
    )
      return `${label(path)} is not one of its parameters: ${Object.keys(known).slice(0, 20).join(', ') || 'it has none'}`;
  }
  return undefined;
}

function listProblem(
  { items, minItems, maxItems }: ServerSchema,
  value: unknown,
  place: Place,
  checking: Checking,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  if (typeof minItems === 'number' && value.length < minItems)
    return `${label(place)} has fewer than ${minItems} items`;
  if (typeof maxItems === 'number' && value.length > maxItems)
    return `${label(place)} has more than ${maxItems} items`;
  for (const [index, item] of value.entries()) {
    const problem = problemOf(items, item, { ...place, path: `${place.path}[${index}]` }, checking);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function branchProblem(
  { anyOf, oneOf, allOf }: ServerSchema,
  value: unknown,
  place: Place,
  checking: Checking,
): string | undefined {
  for (const every of Array.isArray(allOf) ? allOf : []) {
    const problem = problemOf(every, value, place, checking);
    if (problem !== undefined) return problem;
  }
  for (const some of [anyOf, oneOf]) {
    if (!Array.isArray(some) || some.length === 0) continue;
    let first: string | undefined;
    let fits = false;
    for (const one of some) {
      const problem = problemOf(one, value, place, checking);
      fits ||= problem === undefined;
      first ??= problem;
      if (fits) break;
    }
    if (!fits) return first;
  }
  return undefined;
}

function label({ path }: Place): string {
  return path === '' ? 'the input' : quoteClipped(path);
}

function inside({ path }: Place, key: string): string {
  return quoteClipped(path === '' ? key : `${path}.${key}`);
}
