import { clip, reveal } from '../../text/untrusted-text.ts';

const HIDDEN = '…';
const LONGEST_KEY = 40;

/** A text in quotes; space; punctuation; anything else. */
const TOKEN = /"(?:[^"\\]|\\.)*"|'[^'\\]*'|\s+|[{}[\],:=.]|[^\s"'{}[\],:=.]+|["']/g;

/** A line such as [mcp_servers.deskterity]. */
const HEADER = /^\s*\[\[?[^,]*\]\]?\s*(?:#.*)?$/;
const BARE_KEY = /^(?!\d+$)[\w-]+$/;

/**
 * One line of somebody's JSON or TOML as it may be shown: keys and punctuation stay, values are hidden unless they are in `shown`, and so is
 * what a comment says. The files hold tokens and keys of other programs.
 * @param shown texts, without quotes, that are known to be no secrets
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

/** What a text in quotes says; its own spelling where it cannot be told. */
function inner(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token.slice(1, -1);
  }
}
