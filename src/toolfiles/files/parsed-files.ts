import type { ParsedToolFile } from './parse-tool-file.ts';

/** A limit, as anyone who can write tool files could fill the memory. */
const MOST_KEPT = 200;

/** A cache of parsed tool files. All files are read for each call, but few change in between. */
export class ParsedFiles {
  private readonly kept = new Map<string, ParsedToolFile>();

  /** The cached result for this content and path, otherwise that of `parse`. */
  of(file: string, sha256: string, parse: () => ParsedToolFile): ParsedToolFile {
    const key = `${sha256} ${file}`;
    const parsed = this.kept.get(key) ?? parse();
    this.kept.delete(key);
    this.kept.set(key, parsed);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return parsed;
  }
}
