import { nearest } from '../../text/nearest.ts';
import { quote } from '../../text/untrusted-text.ts';
import { parseRole, ROLES } from '../../tree/role.ts';
import { LOCATOR_KINDS } from './grammar.ts';

/** What is longer was not typed by hand, and patterns are tried on it. */
const LONGEST = 200;
const SCOPES = ['app', 'window'] as const;

/** From one `>>` outside of quotes to the next. */
const STEP = /(?:^|>>)((?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|(?!>>)[\s\S])+)/g;
const PREFIXED = /^([A-Za-z]+):\s*([\s\S]+)$/;
/** `button "Save" [enabled]`: a role, a text, and what follows in brackets. */
const ROLE_AND_TEXT = /^([A-Za-z][\w-]*)\s+("[^"]*"|'[^']*'|[^"'[\]/=]+?)\s*((?:\[[^\]]*\]\s*)*)$/;
const ROLE_AND_BRACKETS = /^([A-Za-z][\w-]*)\s*((?:\[[^\]]*\]\s*)*)$/;
const TEXT_AND_BRACKETS = /^([^"'[\]]+?)\s*((?:\[[^\]]*\]\s*)*)$/;
/** `[name=Save as]` */
const BARE_VALUE = /(\[\s*(?:name|value|description)\s*\*?=\s*)([^"'\]]+)\]/g;
const SLASHED = /^(?:\/\/|[a-z]+(?:\[\d+\])?\/)/i;

/**
 * The locator that the author of `button "Save"` or `#save` most likely meant.
 * @param isLocator whether a text is understood; nothing else is suggested
 */
export function meantLocator(text: string, isLocator: (text: string) => boolean): string | undefined {
  if (text.length > LONGEST) return undefined;
  const steps = [...text.matchAll(STEP)].map(([, step = '']) => step.trim()).filter((step) => step !== '');
  const meant = steps.map((step) => isStep(step, isLocator) ?? step).join(' >> ');
  return meant !== text.trim() && isLocator(meant) ? meant : undefined;
}

/** The step, if it is understood, or else the first of its possible meanings that is. */
function isStep(step: string, isLocator: (text: string) => boolean): string | undefined {
  const isUnderstood = (one: string): boolean => isLocator(one) || isLocator(`${one} >> role:button`);
  return [step, ...meanings(step)].find(isUnderstood);
}

function meanings(step: string): string[] {
  const [, prefix, rest = ''] = PREFIXED.exec(step) ?? [];
  const id = /^#([\w-]+)$/.exec(step)?.[1];
  if (id !== undefined) return [`id:${id}`];
  if (prefix === undefined)
    return [
      ...(SLASHED.test(step) ? [`path:${step}`] : []),
      ...roleMeanings(step),
      ...textMeanings('text', step),
    ];
  const lowered = prefix.toLowerCase();
  if (lowered === 'role') return roleMeanings(rest);
  const kind = [...LOCATOR_KINDS, ...SCOPES].find((known) => known === lowered);
  if (kind !== undefined) return textMeanings(kind, rest);
  const close = nearest(lowered, [...LOCATOR_KINDS, ...SCOPES]);
  const asRole = parseRole(prefix) === undefined ? [] : roleMeanings(`${prefix} ${rest}`);
  return [...asRole, ...(close === undefined ? [] : [`${close}:${rest}`, ...meanings(`${close}:${rest}`)])];
}

function roleMeanings(text: string): string[] {
  const named = ROLE_AND_TEXT.exec(text);
  if (named !== null) {
    const [, word = '', name = '', brackets = ''] = named;
    return roles(word).map((role) => `role:${role}[name=${inQuotes(name)}]${brackets.trim()}`);
  }
  const [, word = '', brackets = ''] = ROLE_AND_BRACKETS.exec(text) ?? [];
  return roles(word).flatMap((role) => [
    `role:${role}${brackets.trim()}`,
    `role:${role}${brackets.trim().replaceAll(BARE_VALUE, (_, start: string, value: string) => `${start}${quote(value.trim())}]`)}`,
  ]);
}

function textMeanings(kind: string, text: string): string[] {
  const [, words, brackets = ''] = TEXT_AND_BRACKETS.exec(text) ?? [];
  return words === undefined ? [] : [`${kind}:${quote(words)}${brackets.trim()}`];
}

function inQuotes(text: string): string {
  return /^["']/.test(text) ? text : quote(text);
}

/** `word` if it is a role, or the role that is spelled nearly so. */
function roles(word: string): string[] {
  if (parseRole(word) !== undefined) return [word];
  const close = nearest(word, ROLES);
  return close === undefined ? [] : [close];
}
