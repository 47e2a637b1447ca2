import type { ToolkitKind } from '../tree/toolkit.ts';

/** Units of text: ATK takes the inserted length in bytes and positions in characters, Qt both in UTF-16 units. */
export interface TextMeasures {
  readonly length: (text: string) => number;
  readonly offset: (text: string) => number;
}
const ATK: TextMeasures = {
  length: (text) => Buffer.byteLength(text),
  offset: (text) => Array.from(text).length,
};
const QT: TextMeasures = { length: (text) => text.length, offset: (text) => text.length };

export const MEASURES: Readonly<Partial<Record<ToolkitKind, TextMeasures>>> = {
  gtk3: ATK,
  gtk4: ATK,
  libreoffice: ATK,
  java: ATK,
  own: ATK,
  qt: QT,
};
