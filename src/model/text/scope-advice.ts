/** What to do instead of naming an application or a window to a command that acts on one element, or undefined. */
export function scopeAdvice(key: string, parameters: readonly string[]): string | undefined {
  if (!parameters.includes('ref')) return undefined;
  if (key === 'app')
    return 'A locator can name the application: "app:NAME >> role:button[name=OK]". A reference needs none.';
  if (key === 'window')
    return 'A locator can name the window: "window:TITLE >> role:button[name=OK]". A reference needs none.';
  return undefined;
}
