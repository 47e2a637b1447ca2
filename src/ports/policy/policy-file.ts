/** A policy file: its content as a table, or why it cannot be used, with the line if that is known. */
export type PolicyFileText =
  | { readonly table: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly problem: string; readonly line?: number | undefined };
