/** A file that people edit too: all that stands in it beside one entry is kept as it is, byte for byte. */
export interface EditedDocument {
  readonly format: 'json' | 'jsonc' | 'toml';
  readonly text: string;
  /** Named in messages. */
  readonly file: string;
}

/** What an entry may hold. */
export type EntryValue = string | boolean | readonly string[];

/** Where something begins in a text; lines and columns count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A member of an object; a name may be there more than once. */
export interface PlacedMember {
  readonly name: string;
  readonly place: TextPlace;
  readonly value: PlacedValue;
}

/** A value of a JSON text with its place. */
export type PlacedValue =
  | { readonly kind: 'object'; readonly place: TextPlace; readonly members: readonly PlacedMember[] }
  | { readonly kind: 'array'; readonly place: TextPlace; readonly items: readonly PlacedValue[] }
  | {
      readonly kind: 'scalar';
      readonly place: TextPlace;
      readonly value: string | number | boolean | null;
    };

export type PlacedJson =
  /** No root: the text holds nothing. */
  | { readonly root: PlacedValue | undefined; readonly problem?: undefined }
  /** `reason` is a phrase such as `comma expected`. */
  | { readonly problem: TextPlace & { readonly reason: string } };

/**
 * Reads and edits one entry, a table below a path of keys; or reads all of a text with its places. What reads or edits an entry throws
 * DeskterityError `CONFIG_INVALID` with line and column for what cannot be read.
 */
export interface DocumentsPort {
  /** The value at a path; `undefined` where there is none. */
  entry(document: EditedDocument, path: readonly string[]): unknown;
  /** The text in which the entry has these keys; other keys of it stay. The same text where it had them already. */
  set(document: EditedDocument, path: readonly string[], entry: Readonly<Record<string, EntryValue>>): string;
  /** The text without the entry; tables above it stay, though empty. */
  remove(document: EditedDocument, path: readonly string[]): string;
  /** All of a JSON text, as strict as RFC 8259, nested at most 256 deep. Never throws. */
  read(text: string): PlacedJson;
}
