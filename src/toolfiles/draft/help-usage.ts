import type { ToolPositional } from '../../model/tools/tool-file-parameters.ts';
import { inputKey, META_PARAMETERS } from '../../model/tools/tool-file-parameters.ts';
import { guessType } from './guess-type.ts';
import { headingOf, indentOf, linesBelow, oneLine } from './help-text.ts';

/** Bare words in lines of usage that stand for what is listed elsewhere. */
const STANDS_FOR_OPTIONS = /(?:^|[ _-])(?:options?|flags?|opts?|switches|option\(s\))$/i;
const STANDS_FOR_COMMAND = /^(?:sub-?)?commands?$/i;

export interface Usage {
  /** Arguments that are clear, in order. */
  readonly positionals: readonly ToolPositional[];
  /** It calls for a command: a subcommand where those are listed. */
  readonly hasCommand: boolean;
  /** Every way to call it goes on with a word of its own, so that it cannot be called as it is. */
  readonly needsWord: boolean;
}

/** What the lines of usage say about bare arguments. `words` are those of the command line up to its arguments. */
export function findUsage(lines: readonly string[], words: readonly string[]): Usage | undefined {
  const usages = usageLines(lines).map((line) => tokensAfter(line, words));
  const [first] = usages;
  if (first === undefined) return undefined;
  const hasCommand = usages.some((tokens) =>
    tokens.some((token) => STANDS_FOR_COMMAND.test(bareName(token))),
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
      // Another way to call it does without: then it is not always needed.
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

/** Each way to call the program, as one line. */
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
    // Programs that say their name in every line begin a new way with it.
    const program = ways[0]?.split(' ')[0] ?? '';
    if (isNew || (program !== '' && text.startsWith(`${program} `))) ways.push(text);
    else ways.push(`${ways.pop() ?? ''} ${text}`);
  }
  return ways;
}

/** The parts of a line of usage after the words of the command; brackets are kept together. */
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
    if (guarded === undefined && (/^[[(]*-/.test(token) || STANDS_FOR_OPTIONS.test(bareName(token))))
      continue;
    const positional = readPositional(guarded === undefined ? token : `[${guarded}]`);
    // Alternatives, groups and words of its own: what comes from here on is not clear.
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
  // `{<id> | <url>}` is one too, whichever it is.
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

/** What a list of arguments says about one of them. */
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
