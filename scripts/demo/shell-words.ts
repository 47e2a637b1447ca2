const POSITIONAL: Readonly<Record<string, readonly string[]>> = {
  launch: ['app'],
  find: ['query'],
  get: ['property', 'ref'],
  click: ['ref'],
  'set-value': ['ref', 'value'],
  'close-app': ['app'],
};

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The command line a person would type for the same call: `desk set-value @e12 '7 × 6 = 42'`. */
export function stringifyCommand(command: string, input: Readonly<Record<string, unknown>>): string {
  const positionals = POSITIONAL[command] ?? [];
  const words = positionals.filter((key) => input[key] !== undefined).map((key) => quote(plain(input[key])));
  const rest: string[] = [];
  for (const [key, value] of Object.entries(input)) {
    if (positionals.includes(key) || value === undefined || value === false) continue;
    if (Array.isArray(value)) rest.push('--', ...value.map((word) => quote(plain(word))));
    else words.push(`--${key.replaceAll('_', '-')}`, ...(value === true ? [] : [quote(plain(value))]));
  }
  return ['desk', command, ...words, ...rest].join(' ');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
