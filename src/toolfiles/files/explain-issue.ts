import type { z } from 'zod';
import { nearest } from '../../model/text/nearest.ts';
import { SUBCOMMAND_KEYS, SubcommandStep, ToolFile, ToolStep } from '../../model/tools/tool-file.ts';
import type { ToolFileIssue } from '../../model/tools/tool-file-issue.ts';
import { ToolOption, ToolPositional } from '../../model/tools/tool-file-parameters.ts';
import { SandboxNeeds } from '../../model/tools/tool-file-sandbox.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';

/** An issue; `isKey` if the problem is the key, not the value. */
export type ExplainedIssue = ToolFileIssue & { readonly isKey: boolean };

type Path = readonly (string | number)[];

/** A kind of object in a tool file, and its keys. */
interface Kind {
  readonly phrase: string;
  readonly keys: readonly string[];
}

const LONGEST_SHOWN = 60;

/**
 * Explains a violation of the schema.
 * @param shownAt a value of the file, as shown in messages; `undefined` if there is none
 * @param most maximum number of issues, as the search for similar keys is slow
 */
export function explainIssue(
  issue: z.core.$ZodIssue,
  shownAt: (path: Path) => string | undefined,
  most: number,
): ExplainedIssue[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, most).map((key) => unknownKey(path, key));
  if (issue.code === 'invalid_key') {
    const message = `${label(path)} ${issue.issues[0]?.message ?? 'cannot be a key'}`;
    return [{ path, message, suggestion: 'Correct it.', isKey: true }];
  }
  const shown = shownAt(path);
  const key = path.at(-1);
  if (shown === undefined && typeof key === 'string') {
    const parent = path.slice(0, -1);
    const message = `${kindOf(parent).phrase} needs "${key}"`;
    return [{ path: parent, message, suggestion: `Add "${key}": ${expected(issue)}.`, isKey: false }];
  }
  return [{ path, ...wrongValue(issue, label(path), shown ?? 'nothing'), isKey: false }];
}

function wrongValue(
  issue: z.core.$ZodIssue,
  name: string,
  shown: string,
): Pick<ToolFileIssue, 'message' | 'suggestion'> {
  switch (issue.code) {
    case 'invalid_value': {
      const values = issue.values.map(String);
      const close = nearest(shown.replaceAll('"', ''), values);
      return {
        message: `${name} is ${shown}; it must be ${expected(issue)}`,
        suggestion: close === undefined ? 'Correct it.' : `Did you mean "${close}"?`,
      };
    }
    case 'invalid_format':
      return { message: `${name} is ${shown}; it ${issue.message}`, suggestion: 'Correct it.' };
    case 'too_big':
    case 'too_small':
      return { message: `${name} ${limit(issue)}`, suggestion: 'Correct it.' };
    default:
      return { message: `${name} is ${shown}; it must be ${expected(issue)}`, suggestion: 'Correct it.' };
  }
}

function limit(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const isMost = issue.code === 'too_big';
  const bound = isMost ? issue.maximum : issue.minimum;
  const most = `${isMost ? 'at most' : 'at least'} ${bound}`;
  if (issue.origin !== 'string' && issue.origin !== 'array') return `must be ${most}`;
  if (!isMost && bound === 1) return 'is empty';
  return `must have ${most} ${issue.origin === 'string' ? 'characters' : 'items'}`;
}

function unknownKey(path: Path, key: string): ExplainedIssue {
  const { phrase, keys } = kindOf(path);
  const close = nearest(key, keys);
  return {
    path: [...path, key],
    message: `${quote(clip(key, LONGEST_SHOWN))} is not a key of ${phrase}`,
    suggestion:
      close === undefined
        ? `Remove it; the keys are ${keys.join(', ')}.`
        : `Did you mean "${close}"? Otherwise remove it.`,
    isKey: true,
  };
}

/** Completes "must be". */
function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => `"${String(value)}"`);
    return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
  }
  if (issue.code === 'invalid_union') return 'a string, true or false, a number, or a list of strings';
  if (issue.code !== 'invalid_type') return 'something else';
  return TYPE_PHRASES[issue.expected] ?? `a value of type ${issue.expected}`;
}

const TYPE_PHRASES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The name of a value in messages: its key, or its position in a list. */
function label(path: Path): string {
  const key = path.at(-1);
  if (key === undefined) return 'the file';
  if (typeof key === 'string') return quote(clip(key, LONGEST_SHOWN));
  return `item ${key + 1} of ${label(path.slice(0, -1))}`;
}

function kindOf(path: Path): Kind {
  const names = path.filter((key) => typeof key === 'string');
  const last = names.at(-1);
  if (last === 'sequence') return names.length === 1 ? STEP : SUBCOMMAND_STEP;
  return KINDS.get(last ?? '') ?? FILE;
}

const keysOf = (type: { readonly shape: Readonly<Record<string, unknown>> }) => Object.keys(type.shape);

const FILE: Kind = { phrase: 'a tool file', keys: keysOf(ToolFile) };
const STEP: Kind = { phrase: 'a step of this sequence', keys: keysOf(ToolStep) };
const SUBCOMMAND_STEP: Kind = { phrase: 'a step inside a subcommand', keys: keysOf(SubcommandStep) };
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['subcommand', { phrase: 'a subcommand', keys: SUBCOMMAND_KEYS }],
  ['options', { phrase: 'an option', keys: keysOf(ToolOption) }],
  ['positional_args', { phrase: 'an argument', keys: keysOf(ToolPositional) }],
  ['sandbox', { phrase: '"sandbox"', keys: keysOf(SandboxNeeds) }],
  ['environment', { phrase: '"environment"', keys: ['pass', 'set'] }],
]);
