/** A flag as help texts write it, with its value. */
export interface SpecFlag {
  /** `--message`, `-m`, `-ldflags` */
  readonly flag: string;
  /** Text of the value without brackets: `FILE`, `a|b|c`; absent for a switch. */
  readonly value: string | undefined;
  /** The value may be left out. */
  readonly isOptional: boolean;
  /** How the text joins the two. */
  readonly join: 'space' | '=' | 'none';
  /** `...` behind it: it may be given several times, or takes several values. */
  readonly isRepeated: boolean;
}

/** The flags that begin a line, and the text behind them. */
export interface OptionSpec {
  readonly flags: readonly SpecFlag[];
  readonly rest: string;
}

const FLAG = /^--?(?:\[no-\])?[A-Za-z0-9][\w-]*(?:\.\w[\w-]*)*/;

/** What may stand between a flag and its value, with the value. */
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
  // A bare word is a value only where the text goes on after a gap: else it is the description.
  { pattern: /^ ([A-Za-z][\w./:=|-]*)(?=,|  | :|$)/, join: 'space', isOptional: false },
];

const BETWEEN = /^(?:\s*,\s*|\s*\|\s*|\s+\/\s+|\s+or\s+|\s)(?=-)/;

/** The flags at the beginning of a line of a help text; `undefined` where there is none, or it is not written in a way that is known. */
export function parseOptionSpec(line: string): OptionSpec | undefined {
  let rest = line.trimStart();
  const flags: SpecFlag[] = [];
  for (;;) {
    const name = FLAG.exec(rest)?.[0];
    if (name === undefined) return undefined;
    rest = rest.slice(name.length);
    const value = valueAt(rest);
    rest = value.rest;
    // `--depth, -d N`: the value of one is the value of all.
    flags.push({ flag: name.replace('[no-]', ''), ...value.facts });
    const between = BETWEEN.exec(rest)?.[0];
    if (between === undefined) break;
    rest = rest.slice(between.length);
  }
  const hasBracket = /[>\]}]$/.test(line.trimStart().slice(0, line.trimStart().length - rest.length));
  // One space and more text: a value of several words, or a description; only after a bracket it is clear which.
  if (
    rest === '' ||
    /^(?:\s{2,}|\s*:\s)/.test(rest) ||
    (hasBracket && rest.startsWith(' ')) ||
    isSentence(rest, flags)
  )
    return { flags, rest: rest.replace(/^[\s:]+/, '') };
  return undefined;
}

/** A value that fills its column is followed by one space only. */
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
