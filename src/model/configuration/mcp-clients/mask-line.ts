import { clip, reveal } from '../../text/untrusted-text.ts';

const HIDDEN = '…';
const LONGEST_KEY = 40;

/** A text in quotes; space; punctuation; anything else. */
const TOKEN = /"(?:[^"\\]|\\.)*"|'[^'\\]*'|\s+|[{}[\],:=.]|[^\s"'{}[\],:=.]+|["']/g;

/** A line such as [mcp_servers.deskterity]. */
const HEADER = /^\s*\[\[?[^,]*\]\]?\s*(?:#.*)?$/;
const BARE_KEY = /^(?!\d+$)[\w-]+$/;

/**
 * One line of a user's JSON or TOML file for display: keys and punctuation stay; comments, and values that are not in `shown`, are hidden. The
 * files contain tokens and keys of other programs.
 * @param shown texts, without quotes, that are known not to be secret
 */
export function maskLine(line: string, shown: ReadonlySet<string>): string {
  const tokens = line.match(TOKEN) ?? [];
  const isHeader = HEADER.test(line);
  let masked = '';
  for (const [at, token] of tokens.entries()) {
    if (/^(?:#|\/\/|\/\*)/.test(token)) return `${masked}${token.startsWith('/') ? '//' : '#'} ${HIDDEN}`;
    const written = maskToken(token, followingOf(tokens, at), { shown, isHeader });
    masked += /^[ \t]+$/.test(written) ? written : reveal(written);
  }
  return masked;
}

function maskToken(
  token: string,
  following: string | undefined,
  { shown, isHeader }: { readonly shown: ReadonlySet<string>; readonly isHeader: boolean },
): string {
  if (/^(?:\s|[{}[\],:=.]$)/.test(token)) return token;
  const isKey = following === ':' || following === '=';
  if (/^["']./.test(token)) {
    const text = inner(token);
    if (isKey) return `${token.slice(0, 1)}${clip(token.slice(1, -1), LONGEST_KEY)}${token.slice(-1)}`;
    return shown.has(text) ? token : `"${HIDDEN}"`;
  }
  const isPlain = /^(?:true|false|null)$/.test(token);
  const isBareKey = isKey || following === '.' || (isHeader && following === ']');
  return isPlain || (isBareKey && BARE_KEY.test(token)) ? clip(token, LONGEST_KEY) : HIDDEN;
}

function followingOf(tokens: readonly string[], at: number): string | undefined {
  const next = tokens[at + 1];
  return next !== undefined && /^\s/.test(next) ? tokens[at + 2] : next;
}

/** The content of a quoted text, verbatim if it cannot be parsed. */
function inner(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token.slice(1, -1);
  }
}
