import { mentionParameter } from '../model/text/mention.ts';

type Refinement = readonly [
  (input: Readonly<Record<string, unknown>>) => boolean,
  { readonly path: string[]; readonly error: string },
];

/** For `refine`: `key` and `others` exclude each other. */
export function excludes(key: string, ...others: readonly string[]): Refinement {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== false;
  const error = `cannot be combined with ${eitherOf(others)}`;
  const path = [key];
  return [(input) => !isGiven(input[key]) || !others.some((other) => isGiven(input[other])), { path, error }];
}

/** For `refine`: at least one of these. */
export function atLeastOne(key: string, ...others: readonly string[]): Refinement {
  const error = `or ${eitherOf(others)} is needed`;
  return [(input) => countOf(input, [key, ...others]) > 0, { path: [key], error }];
}

/** For `refine`: exactly one of these. */
export function exactlyOne(key: string, ...others: readonly string[]): Refinement {
  const error = `or ${eitherOf(others)} is needed, exactly one of them`;
  return [(input) => countOf(input, [key, ...others]) === 1, { path: [key], error }];
}

function countOf(input: Readonly<Record<string, unknown>>, keys: readonly string[]): number {
  return keys.filter((key) => input[key] !== undefined).length;
}

/** `--app, --window or --element` */
function eitherOf(keys: readonly string[]): string {
  const labels = keys.map((key) => mentionParameter(key));
  return [labels.slice(0, -1).join(', '), ...labels.slice(-1)].filter((part) => part !== '').join(' or ');
}
