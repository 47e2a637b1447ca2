import { mkdir, writeFile } from 'node:fs/promises';
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

/** A page as people read it: navigation, text, a long list, and a form at the end. */
async function listPage(folder: string): Promise<string[]> {
  const file = path.join(folder, 'list.html');
  const links = Array.from({ length: 24 }, (_, at) => `<a href="#s${at}">Topic ${at + 1}</a>`).join(' ');
  const items = Array.from({ length: 1000 }, (_, at) => `<li>Item ${at + 1}</li>`).join('\n');
  await writeFile(
    file,
    `<!doctype html><html lang="en"><title>A thousand items</title><nav>${links}</nav><main><h1>A thousand items</h1>
<p>This page was written for a test. It has a list that is much longer than any screen.</p>
<form><label>Search <input type="search"></label> <button type="button">Go</button></form>
<h2>All of them</h2><ul>${items}</ul></main></html>`,
  );
  return [file];
}

const FILES = 300;

async function folderOfFiles(folder: string): Promise<string[]> {
  const made = path.join(folder, 'papers');
  await mkdir(made, { recursive: true });
  for (let at = 1; at <= FILES; at += 1) await writeFile(path.join(made, `paper-${at}.txt`), `${at}`);
  return [made];
}

const LIST_NODES = 1000;

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
  {
    ...calculator,
    name: 'KCalc',
    program: 'kcalc',
    packageName: 'kcalc',
    title: /kcalc/i,
    dialog: { name: 'KCalc settings', item: /^configure kcalc/i },
  },
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
  ...(['Firefox', 'Chromium'] as const).map((browser): CorpusSubject => ({
    name: `${browser} list of 1000`,
    kind: 'other',
    program: browser === 'Firefox' ? 'firefox-esr' : 'chromium',
    packageName: browser === 'Firefox' ? 'firefox-esr' : 'chromium',
    title: /A thousand items/,
    atLeastNodes: LIST_NODES,
    prepare: listPage,
  })),
  {
    name: 'PCManFM-Qt folder of 300',
    kind: 'other',
    program: 'pcmanfm-qt',
    packageName: 'pcmanfm-qt',
    title: /papers/i,
    atLeastNodes: 300,
    prepare: folderOfFiles,
    dialog: { name: 'PCManFM-Qt preferences', item: /^preferences/i },
  },
  {
    name: 'Thunar folder of 300',
    kind: 'other',
    program: 'thunar',
    packageName: 'thunar',
    title: /papers/i,
    atLeastNodes: 50,
    prepare: folderOfFiles,
    dialog: { name: 'Thunar preferences', item: /^preferences/i },
  },
];
