import { DeskterityError } from './errors.ts';
import type { Expected } from './expectation.ts';
import { parseRole } from '../tree/role.ts';
import { clip } from '../text/untrusted-text.ts';

/** An element and what is expected of it. */
export interface Condition {
  readonly target: string;
  readonly expected: Expected;
}

const WORDS: Readonly<Record<string, Expected>> = {
  exists: { exists: true },
  gone: { exists: false },
  visible: { visible: true },
  hidden: { visible: false },
  enabled: { enabled: true },
  disabled: { enabled: false },
  focused: { focused: true },
  unfocused: { focused: false },
  checked: { checked: true },
  unchecked: { checked: false },
};
const KEYS: Readonly<Record<string, 'title' | 'value' | 'contains_text' | 'role'>> = {
  title: 'title',
  name: 'title',
  value: 'value',
  contains: 'contains_text',
  contains_text: 'contains_text',
  role: 'role',
};

/**
 * Reads a condition as it is typed: `@e4 value="Ada Lovelace" focused`. The target ends at the first word that is a condition.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function parseConditionLine(line: string): Condition {
  const words = wordsOf(line);
  const first = words.findIndex((word, index) => index > 0 && conditionIn(word) !== undefined);
  if (first < 0) throw wrong(line, 'names no condition after its target');
  const target = words.slice(0, first).join(' ');
  let expected: Expected = {};
  for (const word of words.slice(first)) {
    const condition = conditionIn(word);
    if (condition === undefined)
      throw wrong(line, `has ${JSON.stringify(clip(word, 60))}, which is no condition`);
    const [key] = Object.keys(condition);
    if (key !== undefined && Object.hasOwn(expected, key)) throw wrong(line, `says twice what its ${key} is`);
    expected = { ...expected, ...condition };
  }
  return { target, expected };
}

function conditionIn(word: string): Expected | undefined {
  const name = word.toLowerCase();
  if (Object.hasOwn(WORDS, name)) return WORDS[name];
  const at = word.indexOf('=');
  const given = word.slice(0, Math.max(0, at)).toLowerCase();
  const key = Object.hasOwn(KEYS, given) ? KEYS[given] : undefined;
  if (key === undefined) return undefined;
  const text = unquoted(word.slice(at + 1));
  if (key !== 'role') return { [key]: text };
  const role = parseRole(text);
  return role === undefined ? undefined : { role };
}

function unquoted(text: string): string {
  const quote = text.at(0);
  if (text.length < 2 || (quote !== '"' && quote !== "'") || text.at(-1) !== quote) return text;
  return text.slice(1, -1).replaceAll(/\\(["'\\])/g, '$1');
}

/** Blanks separate words, except in quotes and in the brackets of a locator. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  let brackets = 0;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const isEscape = quote !== '' && character === '\\' && at + 1 < line.length;
    if (quote === '' && brackets === 0 && /\s/.test(character)) {
      if (word !== '') words.push(word);
      word = '';
      continue;
    }
    if (isEscape) {
      word += character + line.charAt(at + 1);
      at += 1;
      continue;
    }
    if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
    else if (quote === '' && character === '[') brackets += 1;
    else if (quote === '' && character === ']') brackets = Math.max(0, brackets - 1);
    word += character;
  }
  return word === '' ? words : [...words, word];
}

function wrong(line: string, why: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `The condition ${JSON.stringify(clip(line, 120))} ${why}.`, {
    suggestion:
      'Write a target and what is expected of it: @e4 value="Ada" focused. Conditions are exists, gone, visible, hidden, enabled, disabled, focused, unfocused, checked, unchecked, value=, title=, role= and contains=.',
  });
}
