/** Breaks text into lines of at most `width` characters, at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Two columns: a term, and its explanation wrapped beside it; a term too long for its column gets a line of its own. */
export function columns(
  rows: readonly (readonly [string, string])[],
  layout: { indent: number; gap: number; width: number; widest: number },
): string[] {
  const longest = Math.max(
    0,
    ...rows.map(([term]) => term.length).filter((length) => length <= layout.widest),
  );
  const start = layout.indent + longest + layout.gap;
  const margin = ' '.repeat(layout.indent);
  return rows.flatMap(([term, explanation]) => {
    const [first = '', ...others] = wrap(explanation, Math.max(20, layout.width - start));
    const rest = others.map((line) => ' '.repeat(start) + line);
    if (term.length > longest) return [margin + term, ' '.repeat(start) + first, ...rest];
    return [(margin + term.padEnd(longest + layout.gap) + first).trimEnd(), ...rest];
  });
}
