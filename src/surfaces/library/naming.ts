/** `max_depth` and `set-value` as TypeScript writes them: `maxDepth`, `setValue`. */
export function camelCase(name: string): string {
  return name.replaceAll(/[-_ ]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
