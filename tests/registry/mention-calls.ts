/** A call such as `mentionCommand('snapshot', { app: name })` or `excludes('path', 'live')` in a source file. */
export interface MentionCall {
  readonly name: string;
  /** As written, each without the blanks around it. */
  readonly args: readonly string[];
  readonly line: number;
}

const CALL = /(?<!function )\b(?:mention(?:Command|Parameter|Name|Help)|excludes|exactlyOne|atLeastOne)\(/g;
const OPENING = '([{';
const CLOSING = ')]}';

/** Every such call in a file, also those inside of texts. */
export function mentionCalls(source: string): readonly MentionCall[] {
  return [...source.matchAll(CALL)].map(({ 0: head, index }) => {
    const { parts } = splitList(source, index + head.length);
    return { name: head.slice(0, -1), args: parts, line: source.slice(0, index).split('\n').length };
  });
}

/** The members of an object as it is written, by their keys. @throws Error for what is no plain object */
export function membersOf(object: string): ReadonlyMap<string, string> {
  if (!object.startsWith('{') || !object.endsWith('}')) throw new Error(`${object} is no object literal`);
  return new Map(
    splitList(object, 1).parts.map((member) => {
      const { key, value } = /^(?<key>\w+)(?:\s*:\s*(?<value>[^]+))?$/.exec(member)?.groups ?? {};
      if (key === undefined) throw new Error(`${member} is no member with a name`);
      return [key, value ?? key];
    }),
  );
}

/** The value of a text, number, truth value or list of them; `undefined` for what is known only when it runs. */
export function literalOf(expression: string): unknown {
  const text = /^'((?:[^'\\]|\\.)*)'$/.exec(expression)?.[1];
  if (text !== undefined) return text.replaceAll(/\\(.)/g, '$1');
  if (/^(?:true|false|-?\d[\d_]*)$/.test(expression)) return JSON.parse(expression.replaceAll('_', ''));
  if (!expression.startsWith('[')) return undefined;
  const items = splitList(expression, 1).parts.map((item) => literalOf(item));
  return items.includes(undefined) ? undefined : items;
}

/** What stands between the commas of a list that begins at `start`, up to the bracket that closes it. */
function splitList(source: string, start: number): { readonly parts: readonly string[] } {
  const parts: string[] = [];
  let from = start;
  let depth = 0;
  let at = start;
  for (; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (`'"\``.includes(character)) at = endOfText(source, at);
    else if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character)) {
      if (depth === 0) break;
      depth -= 1;
    } else if (character === ',' && depth === 0) {
      parts.push(source.slice(from, at).trim());
      from = at + 1;
    }
  }
  if (at >= source.length) throw new Error(`no end of ${source.slice(start, start + 60)}`);
  parts.push(source.slice(from, at).trim());
  return { parts: parts.filter((part) => part !== '') };
}

/** Where the quotation mark is that closes the one at `start`; calls inside of a template are skipped with it. */
function endOfText(source: string, start: number): number {
  const mark = source[start];
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === mark) return at;
    else if (mark === '`' && source.startsWith('${', at)) at = endOfHole(source, at + 2);
  }
  throw new Error(`no end of the text ${source.slice(start, start + 60)}`);
}

function endOfHole(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (`'"\``.includes(character)) at = endOfText(source, at);
    else if (character === '{') depth += 1;
    else if (character === '}' && depth === 0) return at;
    else if (character === '}') depth -= 1;
  }
  throw new Error(`no end of \${${source.slice(start, start + 60)}`);
}
