/** `text` as one word of bash, zsh and POSIX shells, taken literally. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** `text` as one word of fish, taken literally. */
export function quoteForFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
