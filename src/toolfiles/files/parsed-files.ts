import type { ParsedToolFile } from './parse-tool-file.ts';

/** Whoever can write tool files could fill the memory otherwise. */
const MOST_KEPT = 200;

/** What came of reading tool files. All of them are read for each call, and few have changed since the last one. */
export class ParsedFiles {
  private readonly kept = new Map<string, ParsedToolFile>();

  /** What came of this content at this place before, else what `parse` makes of it. */
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
