import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeSpreadsheet } from '../../fixtures/documents/spreadsheet.ts';
import { writePage } from '../../fixtures/web/generate.ts';

/** A real application and how to open it. */
export interface Opening {
  readonly name: string;
  /** Program name or path. */
  readonly program: string;
  /** The package that contains it. */
  readonly packageName: string;
  /** The title of its window. */
  readonly title: RegExp;
  /** With fewer elements than this it has not finished starting. */
  readonly atLeastNodes: number;
  /** Writes the document to open and returns the arguments. */
  readonly prepare?: (folder: string) => Promise<string[]>;
}

/** An application that is measured. */
export interface Subject extends Opening {
  /** How many times faster than pyatspi a whole tree should be read. */
  readonly speedupGoal: number;
}

const QT6_DESIGNER = ['/usr/lib/qt6/bin/designer', '/usr/lib64/qt6/bin/designer', '/usr/bin/designer6'];

export function pageFile(nodes: number): (folder: string) => Promise<string[]> {
  return async (folder) => {
    const file = path.join(folder, `page-${nodes}.html`);
    await writePage(file, nodes);
    return [file];
  };
}

/** Wide and long enough to fill the window. */
export async function sheetFile(folder: string): Promise<string[]> {
  const file = path.join(folder, 'prices.fods');
  await writeSpreadsheet(file, 200);
  return ['--calc', file];
}

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'GTK 3 (gtk3-widget-factory)',
    program: 'gtk3-widget-factory',
    packageName: 'gtk-3-examples',
    title: /^gtk3-widget-factory/i,
    atLeastNodes: 200,
    speedupGoal: 6,
  },
  {
    name: 'GTK 4 (gtk4-widget-factory, second read)',
    program: 'gtk4-widget-factory',
    packageName: 'gtk-4-examples',
    title: /^GTK Widget Factory/,
    atLeastNodes: 200,
    speedupGoal: 10,
  },
  {
    name: 'Qt 5 (kcalc)',
    program: 'kcalc',
    packageName: 'kcalc',
    title: /kcalc/i,
    atLeastNodes: 100,
    speedupGoal: 3,
  },
  {
    name: 'Qt 6 (designer)',
    program: QT6_DESIGNER.find((file) => existsSync(file)) ?? 'designer6',
    packageName: 'designer-qt6',
    title: /designer/i,
    atLeastNodes: 150,
    speedupGoal: 4,
  },
  {
    name: 'LibreOffice Calc',
    program: 'soffice',
    packageName: 'libreoffice-calc libreoffice-gtk3',
    title: /prices.*Calc$/i,
    atLeastNodes: 500,
    prepare: sheetFile,
    speedupGoal: 10,
  },
  {
    name: 'Firefox, page of 4,000',
    program: 'firefox-esr',
    packageName: 'firefox-esr',
    title: /Deskterity page of 4000/,
    atLeastNodes: 4000,
    prepare: pageFile(4000),
    speedupGoal: 20,
  },
  {
    name: 'Chromium, page of 5,000',
    program: 'chromium',
    packageName: 'chromium',
    title: /Deskterity page of 5000/,
    atLeastNodes: 5000,
    prepare: pageFile(5000),
    speedupGoal: 12,
  },
];
