import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RawTreeFile } from '../corpus-file.ts';
import { pageFile, sheetFile, type Opening } from './subjects.ts';

/** An application whose window is recorded. */
export interface CorpusSubject extends Opening {
  readonly kind: RawTreeFile['kind'];
  /** Also record what is not on screen. */
  readonly whole?: boolean;
  /** A menu item that opens its settings. */
  readonly dialog?: { readonly name: string; readonly item: RegExp };
}

const PAGE_NODES = 1000;

const LETTER = `Dear reader,

this letter has three paragraphs. It was written for a test, and nobody will answer it.

The second paragraph is a little longer than the first one, so that a text editor has something to wrap when its window is
narrow, and something to show when it is wide.

Yours sincerely,
a fixture
`;

async function letter(folder: string): Promise<string[]> {
  const file = path.join(folder, 'letter.txt');
  await writeFile(file, LETTER);
  return [file];
}

const calculator = { kind: 'calculator', atLeastNodes: 20 } as const;
const editor = { kind: 'editor', atLeastNodes: 20, prepare: letter } as const;

export const CORPUS_SUBJECTS: readonly CorpusSubject[] = [
  {
    ...calculator,
    name: 'galculator',
    program: 'galculator',
    packageName: 'galculator',
    title: /^galculator/i,
    whole: true,
    dialog: { name: 'galculator preferences', item: /^preferences/i },
  },
  {
    ...calculator,
    name: 'GNOME Calculator',
    program: 'gnome-calculator',
    packageName: 'gnome-calculator',
    title: /^calculator/i,
  },
  { ...calculator, name: 'KCalc', program: 'kcalc', packageName: 'kcalc', title: /kcalc/i },
  {
    ...editor,
    name: 'Mousepad',
    program: 'mousepad',
    packageName: 'mousepad',
    title: /letter/i,
    whole: true,
    dialog: { name: 'Mousepad preferences', item: /^preferences/i },
  },
  {
    ...editor,
    name: 'GNOME Text Editor',
    program: 'gnome-text-editor',
    packageName: 'gnome-text-editor',
    title: /letter/i,
  },
  {
    ...editor,
    name: 'FeatherPad',
    program: 'featherpad',
    packageName: 'featherpad',
    title: /letter/i,
    dialog: { name: 'FeatherPad preferences', item: /^preferences/i },
  },
  {
    name: 'LibreOffice Calc',
    kind: 'other',
    program: 'soffice',
    packageName: 'libreoffice-calc libreoffice-gtk3',
    title: /prices.*Calc$/i,
    atLeastNodes: 200,
    prepare: sheetFile,
  },
  {
    name: 'Firefox page',
    kind: 'other',
    program: 'firefox-esr',
    packageName: 'firefox-esr',
    title: /Deskterity page/,
    atLeastNodes: PAGE_NODES,
    prepare: pageFile(PAGE_NODES),
    whole: true,
  },
  {
    name: 'Chromium page',
    kind: 'other',
    program: 'chromium',
    packageName: 'chromium',
    title: /Deskterity page/,
    atLeastNodes: PAGE_NODES,
    prepare: pageFile(PAGE_NODES),
    whole: true,
  },
];
