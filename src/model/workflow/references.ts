import { DeskterityError } from '../effects/errors.ts';
import { isRecord } from '../is-record.ts';

/** `{{step_0.value}}`: where a step takes a value from. */
export interface Reference {
  /** As it is written, with its braces. */
  readonly text: string;
  /** `step_0`, the id of a step, or `param`. */
  readonly head: string;
  /** Names of fields, and positions in lists. */
  readonly path: readonly string[];
}

/** How values get into an input of a certain kind. */
export interface Placement {
  /** Into a longer text, of which `before` is the part before the reference. */
  readonly inside: (value: string, before: string, reference: Reference) => string;
  /** As the whole value. */
  readonly alone: (value: unknown, reference: Reference) => unknown;
}

const AS_IT_IS: Placement = { inside: (value) => value, alone: (value) => value };

/** A text that stands for values is at most this long. */
const LONGEST_RESULT = 1_048_576;
const DEEPEST = 32;
const LONGEST_REFERENCE = 200;

/** A backslash before it makes `{{` plain text. */
const BRACES = /\\\{\{|\{\{(?:([^{}]*)\}\})?/g;
const FORM = /^\s*([A-Za-z_][\w-]*)((?:\.[\w-]+)*)\s*$/;

/** The references in the texts of a value, in order. @throws DeskterityError INVALID_ARGUMENT for braces that are none */
export function referencesIn(value: unknown): Reference[] {
  const found: Reference[] = [];
  replaced(value, (reference) => {
    found.push(reference);
    return '';
  });
  return found;
}

/**
 * The value with what its references stand for. A text that is nothing but a reference becomes the value itself, whatever its type; inside a longer
 * text it must be a text, a number or a boolean. What was put in is not searched for references again.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function replaced(
  value: unknown,
  valueOf: (reference: Reference) => unknown,
  placement: Placement = AS_IT_IS,
  depth = 0,
): unknown {
  if (depth > DEEPEST) throw invalid('The input has lists or objects inside each other too deeply.');
  if (typeof value === 'string') return replacedText(value, valueOf, placement);
  if (Array.isArray(value))
    return value.map((item: unknown) => replaced(item, valueOf, placement, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, valueOf, placement, depth + 1)]),
  );
}

function replacedText(
  text: string,
  valueOf: (reference: Reference) => unknown,
  placement: Placement,
): unknown {
  if (!text.includes('{{')) return text;
  const [match] = text.matchAll(BRACES);
  if (match?.[0] === text && match[1] !== undefined) {
    const reference = parsed(text, match[1]);
    return placement.alone(valueOf(reference), reference);
  }
  const result = text.replace(BRACES, (whole, inside: string | undefined, at: number) => {
    if (whole.startsWith('\\')) return '{{';
    if (inside === undefined) throw notReference(text.slice(at));
    const reference = parsed(whole, inside);
    const put = valueOf(reference);
    if (typeof put === 'string' || typeof put === 'number' || typeof put === 'boolean')
      return placement.inside(String(put), text.slice(0, at), reference);
    throw invalid(
      `${whole} is ${kindOf(put)}, which cannot be part of a text.`,
      'Name one of its fields, or use it as the whole value.',
    );
  });
  if (result.length > LONGEST_RESULT)
    throw invalid(`A text becomes longer than ${LONGEST_RESULT} characters.`);
  return result;
}

function parsed(text: string, inside: string): Reference {
  const form = text.length > LONGEST_REFERENCE ? undefined : FORM.exec(inside);
  const [, head, fields = ''] = form ?? [];
  if (head === undefined) throw notReference(text);
  return { text, head, path: fields.split('.').slice(1) };
}

function notReference(text: string): DeskterityError {
  return invalid(
    `${JSON.stringify(text.slice(0, 80))} is not a reference.`,
    'References are {{step_0.field}}, {{id.field}} and {{param.NAME}}; in plain text, write \\{{ for {{.',
  );
}

/**
 * The value at a path of an answer: own fields and positions of lists only.
 * @throws DeskterityError INVALID_ARGUMENT that names the fields there are
 */
export function fieldAt(from: unknown, { text, path }: Reference, of: string): unknown {
  let value = from;
  let place = of;
  for (const name of path) {
    if (Array.isArray(value)) {
      const position = /^\d{1,6}$/.test(name) ? Number(name) : undefined;
      if (position === undefined || position >= value.length)
        throw invalid(`${text} does not exist: ${place} is a list of ${value.length}, counted from 0.`);
      value = value[position];
    } else if (isRecord(value) && Object.hasOwn(value, name)) {
      value = value[name];
    } else {
      throw noSuchField(text, place, isRecord(value) ? Object.keys(value) : kindOf(value));
    }
    place = `${place}.${name}`;
  }
  if (value === undefined) throw invalid(`${text} has no value.`);
  return value;
}

/** @param fields the names there are, or what there is instead of fields */
export function noSuchField(
  text: string,
  place: string,
  fields: readonly string[] | string,
): DeskterityError {
  if (typeof fields === 'string')
    return invalid(`${text} does not exist: ${place} is ${fields}, which has no fields.`);
  const shown = fields.slice(0, MOST_NAMED).map((name) => name.slice(0, 40));
  const more = fields.length > MOST_NAMED ? ', …' : '';
  return invalid(
    `${text} does not exist: ${place} has ${shown.length === 0 ? 'no fields' : `the fields ${shown.join(', ')}${more}`}.`,
  );
}

const MOST_NAMED = 20;

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function invalid(message: string, suggestion = 'Correct the reference.'): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion, delivered: false });
}
