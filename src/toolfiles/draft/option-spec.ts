/** A flag in a help text, with its value. */
export interface SpecFlag {
  /** `--message`, `-m`, `-ldflags` */
  readonly flag: string;
  /** The value's placeholder without brackets: `FILE`, `a|b|c`; absent for a switch. */
  readonly value: string | undefined;
  /** The value is optional. */
  readonly isOptional: boolean;
  /** What is between flag and value. */
  readonly join: 'space' | '=' | 'none';
  /** Followed by `...`: repeatable, or with several values. */
  readonly isRepeated: boolean;
}

/** The flags at the start of a line, and the text after them. */
export interface OptionSpec {
  readonly flags: readonly SpecFlag[];
  readonly rest: string;
}

const FLAG = /^--?(?:\[no-\])?[A-Za-z0-9][\w-]*(?:\.\w[\w-]*)*/;

/** Notations for the value after a flag. */
const VALUES: readonly {
  readonly pattern: RegExp;
  readonly join: SpecFlag['join'];
  readonly isOptional: boolean;
}[] = [
  { pattern: /^\[=([^\]]+)\]/, join: '=', isOptional: true },
  { pattern: /^=\[([^\]]+)\]/, join: '=', isOptional: true },
  { pattern: /^=<([^>]+)>/, join: '=', isOptional: false },
  { pattern: /^=\{([^}]+)\}/, join: '=', isOptional: false },
  { pattern: /^=(\.\.\.)/, join: '=', isOptional: false },
  { pattern: /^=([^\s,\]]+)/, join: '=', isOptional: false },
  { pattern: /^\[([^\]]+)\]/, join: 'none', isOptional: true },
  { pattern: /^<([^>]+)>/, join: 'none', isOptional: false },
  { pattern: /^ \[<([^>]+)>\]/, join: 'space', isOptional: true },
  { pattern: /^ \[([A-Z][^\]\s]*)\](?=,|\s|$)/, join: 'space', isOptional: true },
  { pattern: /^ <([^>]+)>/, join: 'space', isOptional: false },
  { pattern: /^ \{([^}]+)\}/, join: 'space', isOptional: false },
  { pattern: /^ \[([\w.-]+(?:\|[\w.-]+)+)\]/, join: 'space', isOptional: false },
  // A bare word is a value only if a gap follows; otherwise it begins the description.
  { pattern: /^ ([A-Za-z][\w./:=|-]*)(?=,|  | :|$)/, join: 'space', isOptional: false },
];

const BETWEEN = /^(?:\s*,\s*|\s*\|\s*|\s+\/\s+|\s+or\s+|\s)(?=-)/;

/** The flags at the start of a help line; `undefined` if there are none or the notation is unknown. */
export function parseOptionSpec(line: string): OptionSpec | undefined {
  let rest = line.trimStart();
  const flags: SpecFlag[] = [];
  for (;;) {
    const name = FLAG.exec(rest)?.[0];
    if (name === undefined) return undefined;
    rest = rest.slice(name.length);
    const value = valueAt(rest);
    rest = value.rest;
    // `--depth, -d N`: the value belongs to all spellings.
    flags.push({ flag: name.replace('[no-]', ''), ...value.facts });
    const between = BETWEEN.exec(rest)?.[0];
    if (between === undefined) break;
    rest = rest.slice(between.length);
  }
  const hasBracket = /[>\]}]$/.test(line.trimStart().slice(0, line.trimStart().length - rest.length));
  // After one space, text may be a value of several words or a description; only a bracket makes it clear.
  if (
    rest === '' ||
    /^(?:\s{2,}|\s*:\s)/.test(rest) ||
    (hasBracket && rest.startsWith(' ')) ||
    isSentence(rest, flags)
  )
    return { flags, rest: rest.replace(/^[\s:]+/, '') };
  return undefined;
}

/** A value that fills its column is followed by a single space. */
function isSentence(rest: string, flags: readonly SpecFlag[]): boolean {
  return /^ [A-Z][a-z]/.test(rest) && flags.at(-1)?.join === '=';
}

function valueAt(text: string): { readonly facts: Omit<SpecFlag, 'flag'>; readonly rest: string } {
  const dots = /^\s?\.\.\.(?=\s|,|$)/.exec(text)?.[0];
  if (dots !== undefined)
    return {
      facts: { value: undefined, isOptional: false, join: 'none', isRepeated: true },
      rest: text.slice(dots.length),
    };
  for (const { pattern, join, isOptional } of VALUES) {
    const [whole, value] = pattern.exec(text) ?? [];
    if (whole === undefined || value === undefined) continue;
    const after = text.slice(whole.length);
    const more = /^\s?(?:\.\.\.|\[[^\]]*\.\.\.\])/.exec(after)?.[0] ?? '';
    return {
      facts: { value, isOptional, join, isRepeated: more !== '' },
      rest: after.slice(more.length),
    };
  }
  return { facts: { value: undefined, isOptional: false, join: 'none', isRepeated: false }, rest: text };
}
