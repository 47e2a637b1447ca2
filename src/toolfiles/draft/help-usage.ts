import { inputKey, META_PARAMETERS, type ToolPositional } from '../../model/tools/tool-file-parameters.ts';
import { guessType } from './guess-type.ts';
import { headingOf, indentOf, linesBelow, oneLine } from './help-text.ts';

/** Placeholders in usage lines for parts that are listed elsewhere. */
const OPTIONS_PLACEHOLDER = /(?:^|[ _-])(?:options?|flags?|opts?|switches|option\(s\))$/i;
const COMMAND_PLACEHOLDER = /^(?:sub-?)?commands?$/i;

export interface Usage {
  /** The clear arguments, in order. */
  readonly positionals: readonly ToolPositional[];
  /** It includes a command placeholder: a subcommand, if those are listed. */
  readonly hasCommand: boolean;
  /** Every usage line continues with a fixed word, so it cannot be called without one. */
  readonly needsWord: boolean;
}

/** The positional arguments in usage lines. `words` are the command's words before its arguments. */
export function findUsage(lines: readonly string[], words: readonly string[]): Usage | undefined {
  const usages = usageLines(lines).map((line) => tokensAfter(line, words));
  const [first] = usages;
  if (first === undefined) return undefined;
  const hasCommand = usages.some((tokens) =>
    tokens.some((token) => COMMAND_PLACEHOLDER.test(bareName(token))),
  );
  const others = usages.slice(1).map((tokens) => readPositionals(tokens));
  const positionals = readPositionals(first);
  return {
    hasCommand,
    needsWord: usages.every(([token]) => token !== undefined && /^[a-z][a-z-]*$/.test(token)),
    positionals: positionals.map(({ name, isRequired, isList, isAfterDoubleDash, shown }) => {
      const description = described(lines, shown);
      const { type, enum: values, isPath } = guessType({ value: shown, description, isRepeated: isList });
      const isMeta = META_PARAMETERS.some((meta) => meta === inputKey(name));
      const positional: ToolPositional = {
        name: isMeta ? `${name}-argument` : name,
        type,
        description: description === '' ? `The argument ${shown} of the command line.` : description,
      };
      // Not required if another usage line omits it.
      if (isRequired && others.every((way) => way.some((other) => other.name === name && other.isRequired)))
        positional.required = true;
      if (values !== undefined) positional.enum = [...values];
      if (isPath || /^(?:pathspec|source|destination|dest)s?$/i.test(shown)) positional.format = 'path';
      if (isAfterDoubleDash) positional.after_double_dash = true;
      return positional;
    }),
  };
}

interface FoundPositional {
  readonly name: string;
  readonly shown: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly isAfterDoubleDash: boolean;
}

/** Each usage of the program, as one line. */
function usageLines(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => /^\s*usage:?(?:\s|$)/i.test(line));
  if (start === -1) return [];
  const head = (lines[start] ?? '').replace(/^\s*usage:?\s*/i, '');
  const ways: string[] = head === '' ? [] : [head];
  let base: number | undefined;
  for (const [offset, line] of lines.slice(start + 1).entries()) {
    if (line.trim() === '') {
      if (ways.length > 0 || offset > 1) break;
      continue;
    }
    if (headingOf(line) !== undefined || /^\s*-/.test(line)) break;
    const or = /^\s*or:\s*(.*)$/i.exec(line)?.[1];
    base ??= indentOf(line);
    const isNew = or !== undefined || ways.length === 0 || (head === '' && indentOf(line) <= base);
    const text = or ?? line.trim();
    // A line that starts with the program's name begins another usage.
    const program = ways[0]?.split(' ')[0] ?? '';
    if (isNew || (program !== '' && text.startsWith(`${program} `))) ways.push(text);
    else ways.push(`${ways.pop() ?? ''} ${text}`);
  }
  return ways;
}

/** The tokens of a usage line after the command's words; brackets stay together. */
function tokensAfter(line: string, words: readonly string[]): string[] {
  const tokens = split(line.replace(/^\$\s*/, ''));
  let at = 1;
  for (const word of words) {
    const found = tokens.slice(at).findIndex((token) => token === word || token.split('|').includes(word));
    if (found !== -1) at += found + 1;
  }
  return tokens.slice(at);
}

function split(line: string): string[] {
  const tokens: string[] = [];
  let depth = 0;
  let current = '';
  for (const letter of line) {
    if (/[[({<]/.test(letter)) depth += 1;
    if (/[\])}>]/.test(letter)) depth -= 1;
    if (letter === ' ' && depth <= 0) {
      if (current !== '') tokens.push(current);
      current = '';
    } else current += letter;
  }
  if (current !== '') tokens.push(current);
  return tokens;
}

function readPositionals(tokens: readonly string[]): FoundPositional[] {
  const found: FoundPositional[] = [];
  let isAfterDoubleDash = false;
  for (const [index, token] of tokens.entries()) {
    if (token === '[--]' || token === '--') {
      isAfterDoubleDash = true;
      continue;
    }
    const before = found.at(-1);
    if (/^(?:\.\.\.|\[\.\.\.\])$/.test(token)) {
      if (before !== undefined) found[found.length - 1] = { ...before, isList: true };
      continue;
    }
    // `[-- ARGS]`, `[[--] <path>...]`
    const guarded = /^\[(?:\[--\]|--) (.+)\]$/.exec(token)?.[1];
    if (guarded === undefined && (/^[[(]*-/.test(token) || OPTIONS_PLACEHOLDER.test(bareName(token))))
      continue;
    const positional = readPositional(guarded === undefined ? token : `[${guarded}]`);
    // Alternatives, groups and fixed words: everything from here on is unclear.
    if (positional === undefined || tokens[index + 1] === '|') break;
    if (before?.name === positional.name) found[found.length - 1] = { ...before, isList: true };
    else found.push({ ...positional, isAfterDoubleDash: isAfterDoubleDash || guarded !== undefined });
  }
  const list = found.findIndex(({ isList }) => isList);
  return list === -1 ? found : found.slice(0, list + 1);
}

function readPositional(token: string): Omit<FoundPositional, 'isAfterDoubleDash'> | undefined {
  const isMarked = /^[[<{]/.test(token) || /^[A-Z][A-Z0-9_-]+(?:\[[:@=/][^\]]*\])?(?:\.\.\.)?$/.test(token);
  if (!isMarked) return undefined;
  // `NAME[:TAG]` is one argument.
  const plain = token.replace(/\[[:@=/][^\]]*\]/, '');
  // `{<id> | <url>}` is one argument too.
  const alternatives = bareName(plain)
    .split(/\s*\|\s*/)
    .filter((word) => /^\w/.test(word));
  const words = [...new Set(bareName(plain).split(' '))];
  const shown =
    alternatives.length > 1
      ? alternatives.join(' or ')
      : words.length === 1
        ? words.join('')
        : bareName(plain);
  if (!/^[A-Za-z][\w -]*$/.test(shown) || (alternatives.length === 1 && words.length > 2)) return undefined;
  const isRepeated = words.length === 1 && bareName(plain).includes(' ');
  return {
    name: shown.toLowerCase().replaceAll(/[ _]+/g, '-'),
    shown,
    isRequired: !token.startsWith('['),
    isList: isRepeated || token.includes('...'),
  };
}

/** `[<pathspec>...]` → `pathspec` */
function bareName(token: string): string {
  return token.replaceAll(/[[\]<>{}()]|\.\.\./g, '').trim();
}

/** The description of an argument in a list of arguments. */
function described(lines: readonly string[], shown: string): string {
  let isArguments = false;
  for (const [index, line] of lines.entries()) {
    const heading = headingOf(line);
    if (heading !== undefined) isArguments = /\barg(?:ument)?s\b/i.test(heading);
    if (!isArguments || heading !== undefined) continue;
    const [, name = '', text = ''] =
      /^\s+([[<]*[\w-]+[\]>]*(?:\.\.\.)?[\]>]*)(?:\s{2,}(.*))?$/.exec(line) ?? [];
    if (bareName(name).toLowerCase() !== shown.toLowerCase()) continue;
    return oneLine([text, ...linesBelow(lines, index)]);
  }
  return '';
}
