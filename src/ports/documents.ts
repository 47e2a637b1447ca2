/** A file that people edit too: all that stands in it beside one entry is kept as it is, byte for byte. */
export interface EditedDocument {
  readonly format: 'json' | 'jsonc' | 'toml';
  readonly text: string;
  /** Named in messages. */
  readonly file: string;
}

/** What an entry may hold. */
export type EntryValue = string | boolean | readonly string[];

/** Reads and edits one entry, a table below a path of keys. All throw DeskterityError `CONFIG_INVALID` with line and column for what cannot be read. */
export interface DocumentsPort {
  /** The value at a path; `undefined` where there is none. */
  entry(document: EditedDocument, path: readonly string[]): unknown;
  /** The text in which the entry has these keys; other keys of it stay. The same text where it had them already. */
  set(document: EditedDocument, path: readonly string[], entry: Readonly<Record<string, EntryValue>>): string;
  /** The text without the entry; tables above it stay, though empty. */
  remove(document: EditedDocument, path: readonly string[]): string;
}
