import type { ToolOption } from '../../model/tools/tool-file-parameters.ts';

export interface GuessedType {
  readonly type: Exclude<ToolOption['type'], 'boolean'>;
  readonly enum?: readonly string[] | undefined;
  readonly isPath: boolean;
}

const WHOLE_NUMBER =
  /^(?:n|num|number|count|int|integer|u?int(?:8|16|32|64)?|lines|depth|jobs|port|secs|seconds|limit)$/i;
const NUMBER = /^(?:float(?:32|64)?|decimal|double|ratio)$/i;
const PATH = /(?:^|[-_ ])(?:file|path|dir|directory|folder|filename|dirname|pathname)s?$/i;
const LIST = /^(?:list|strings|stringarray|stringslice|map|filter)$/i;
const REPEATED =
  /\b(?:(?:can|may) be (?:used|given|specified|repeated|passed|provided|supplied)? ?(?:multiple|several|many|more than one)? ?(?:times|repeatedly|repeated)|multiple (?:times|occurrences)|more than once|is repeatable)\b/i;
const WORDS = /^[A-Za-z0-9][\w.+-]*$/;

/** Choices in a description: `[possible values: a, b]`, `(choices: "a", "b")`, `{open|closed}`. */
const CHOICES = [
  /\[possible values: ([^\]]+)\]/i,
  /\(choices: ([^)]+)\)/i,
  /(?:^|\s)\{([\w.+-]+(?:[|,] ?[\w.+-]+)+)\}/,
];

/** Guesses a type from the placeholder and description of a value; default string. */
export function guessType({
  value,
  description,
  isRepeated,
}: {
  readonly value: string;
  readonly description: string;
  readonly isRepeated: boolean;
}): GuessedType {
  const choices = choicesIn(value, description);
  const isList = isRepeated || LIST.test(value) || REPEATED.test(description);
  if (choices !== undefined) return { type: isList ? 'array' : 'string', enum: choices, isPath: false };
  if (isList) return { type: 'array', isPath: PATH.test(value) };
  if (WHOLE_NUMBER.test(value)) return { type: 'integer', isPath: false };
  if (NUMBER.test(value)) return { type: 'number', isPath: false };
  return { type: 'string', isPath: PATH.test(value) };
}

function choicesIn(value: string, description: string): string[] | undefined {
  const written = /^[^|,]+(?:[|,][^|,]+)+$/.test(value) ? value : undefined;
  // Alternatives in capitals are placeholders, not values.
  if (written !== undefined && /[a-z]/.test(written)) {
    const words = wordsOf(written);
    if (words !== undefined) return words;
  }
  for (const pattern of CHOICES) {
    const list = pattern.exec(description)?.[1];
    const words = list === undefined ? undefined : wordsOf(list);
    if (words !== undefined) return words;
  }
  return undefined;
}

function wordsOf(list: string): string[] | undefined {
  const words = [...new Set(list.split(/\s*[|,]\s*/).map((word) => word.replaceAll(/^["'`]|["'`]$/g, '')))];
  // "file|url" are placeholders too.
  const isKinds = words.some((word) => PATH.test(word) || /^(?:name|url|glob|value|key|id)$/i.test(word));
  return words.length > 1 && !isKinds && words.every((word) => WORDS.test(word)) ? words : undefined;
}
