/** A range of a text and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; insertions at the same place keep their order. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let done = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    done += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return done + text.slice(at);
}

/** The line ending of a text. */
export function lineEndOf(text: string): string {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

/** Where the line of a place begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line of a place ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}
