/** A file that people also edit: everything except one entry is preserved byte for byte. */
export interface EditedDocument {
  readonly format: 'json' | 'jsonc' | 'toml';
  readonly text: string;
  /** Named in messages. */
  readonly file: string;
}

/** The values of an entry. */
export type EntryValue = string | boolean | readonly string[];

/** A position in a text; lines and columns count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A syntax error. */
export interface TextProblem extends TextPlace {
  /** A phrase such as `comma expected`. */
  readonly reason: string;
}

/** A member of an object; a name may occur more than once. */
export interface PlacedMember {
  readonly name: string;
  readonly place: TextPlace;
  readonly value: PlacedValue;
}

/** A value of a JSON text with its position. */
export type PlacedValue =
  | { readonly kind: 'object'; readonly place: TextPlace; readonly members: readonly PlacedMember[] }
  | { readonly kind: 'array'; readonly place: TextPlace; readonly items: readonly PlacedValue[] }
  | {
      readonly kind: 'scalar';
      readonly place: TextPlace;
      readonly value: string | number | boolean | null;
    };

export type PlacedJson =
  /** No root: the text is empty. */
  | { readonly root: PlacedValue | undefined; readonly problem?: undefined }
  | { readonly problem: TextProblem };

/**
 * Reads and edits one entry, a table below a path of keys, or reads a whole text with positions. Reading or editing an entry throws
 * DeskterityError `CONFIG_INVALID` with line and column if the text is invalid.
 */
export interface DocumentsPort {
  /** The value at a path; `undefined` if there is none. */
  entry(document: EditedDocument, path: readonly string[]): unknown;
  /** The text with these keys in the entry; its other keys stay. The same text if nothing changes. */
  set(document: EditedDocument, path: readonly string[], entry: Readonly<Record<string, EntryValue>>): string;
  /** The text without the entry; tables above it stay, even if empty. */
  remove(document: EditedDocument, path: readonly string[]): string;
  /** Parses a JSON text strictly by RFC 8259, nested at most 256 deep. Never throws. */
  read(text: string): PlacedJson;
}
