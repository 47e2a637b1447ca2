/** A filter for messages from the bus (specification, "Match Rules"). Every given key must match. */
export interface MatchRule {
  readonly type?: 'signal' | undefined;
  readonly sender?: string | undefined;
  readonly interface?: string | undefined;
  readonly member?: string | undefined;
  readonly path?: string | undefined;
  /** String arguments by index, 0 to 63. */
  readonly args?: Readonly<Record<number, string>> | undefined;
}

// Nothing is special between apostrophes; an apostrophe itself is written escaped outside them.
function quote(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

/** A rule as text for AddMatch. */
export function formatMatchRule(rule: MatchRule): string {
  const entries: [string, string | undefined][] = [
    ['type', rule.type],
    ['sender', rule.sender],
    ['interface', rule.interface],
    ['member', rule.member],
    ['path', rule.path],
    ...Object.entries(rule.args ?? {}).map(([index, value]): [string, string] => [`arg${index}`, value]),
  ];
  return entries.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${quote(value)}`])).join(',');
}
