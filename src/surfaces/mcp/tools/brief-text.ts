/** The text beside structured content is at most this long: whole receipts, and the beginning of anything longer. */
const LONGEST = 200;

/**
 * The text beside structured content, which has everything: whole lines from the start, so that a person, or a client that shows only the
 * text, knows what happened and that there is more.
 */
export function briefText(text: string): string {
  if (text.length <= LONGEST) return text;
  const lines = text.split('\n');
  let length = 0;
  const kept = lines.filter((line, at) => {
    length += line.length + 1;
    return at === 0 || length <= LONGEST;
  });
  const [first = ''] = kept;
  const start = first.length > LONGEST ? [`${first.slice(0, LONGEST)}…`] : kept;
  const rest = lines.length - kept.length;
  return [...start, rest === 0 ? IN_FULL : `(${rest} more lines) ${IN_FULL}`].join('\n');
}

const IN_FULL = 'The structured content has everything.';
