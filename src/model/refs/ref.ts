import { mentionCommand } from '../text/mention.ts';
import { DeskterityError } from '../effects/errors.ts';

/** `@e` elements of any source, `@w` windows, `@t` terminals; numbers are never reused within a session. */
export type RefKind = 'e' | 'w' | 't';
export type Ref = `@${RefKind}${number}`;

const REF = /^@?([ewt])([1-9]\d{0,8})\+?$/;

export function formatRef(kind: RefKind, number: number): Ref {
  return `@${kind}${number}`;
}

/** Reads `@e9`, `e9` or `@e9+` (the `+` of an elided sub-tree is ignored); `undefined` for anything else. */
export function parseRef(text: string): { kind: RefKind; ref: Ref } | undefined {
  const match = REF.exec(text.trim());
  if (!match) return undefined;
  const kind = match[1] === 'e' ? 'e' : match[1] === 'w' ? 'w' : 't';
  return { kind, ref: formatRef(kind, Number(match[2])) };
}

/** @throws DeskterityError INVALID_ARGUMENT if `text` is not a ref of this kind. */
export function requireRef(text: string, kind: RefKind): Ref {
  const parsed = parseRef(text);
  if (parsed?.kind === kind) return parsed.ref;
  throw new DeskterityError('INVALID_ARGUMENT', `"${text.slice(0, 80)}" is not a reference like @${kind}7.`, {
    suggestion:
      kind === 'w'
        ? `Run ${mentionCommand('list-windows')} to see window references.`
        : `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} to get references.`,
  });
}
