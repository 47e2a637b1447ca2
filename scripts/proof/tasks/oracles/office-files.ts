import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call } from '../../errands/errand.ts';
import type { Task } from '../task.ts';
import { hasText } from './text-files.ts';

async function contentOf(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)('unzip', ['-p', file, 'content.xml'], {
    maxBuffer: 64_000_000,
  });
  return stdout;
}

function textOf(xml: string): string {
  return xml
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

function elements(xml: string, name: string): { readonly head: string; readonly body: string }[] {
  const pattern = new RegExp(`<${name}( [^>]*)?(?:/>|>(.*?)</${name}>)`, 'gs');
  return [...xml.matchAll(pattern)].map(([, head = '', body = '']) => ({ head, body }));
}

/** The cells of the first rows that have any, as they show, and the formulas. */
function sheetOf(xml: string): { readonly rows: string[][]; readonly formulas: string[] } {
  const rows = elements(xml, 'table:table-row')
    .map(({ body }) => elements(body, 'table:table-cell').map((cell) => textOf(cell.body)))
    .map((cells) => cells.filter((cell) => cell !== ''))
    .filter((cells) => cells.length > 0);
  const formulas = [...xml.matchAll(/table:formula="([^"]*)"/g)].map(([, formula = '']) => formula);
  return { rows, formulas };
}

const PRICES = [
  ['Item', 'Price'],
  ['Pen', '1.5'],
  ['Ink', '7'],
  ['Total', '8.5'],
];

async function hasPrices(home: string): Promise<void> {
  const { rows, formulas } = sheetOf(await contentOf(join(home, 'prices.ods')));
  assert.deepEqual(rows, PRICES);
  assert.deepEqual(formulas, ['of:=SUM([.B2:.B3])']);
}

const SAVE: readonly Call[] = [
  ['menu', 'File > Save As…', '--app', 'soffice'],
  ['set-value', '<textbox "Name:">', '{{param.file}}'],
  ['click', '<button "Save">'],
];

const CALC = { applications: ['libreoffice-calc'], packages: ['libreoffice-calc', 'libreoffice-gtk3'] };

const byKeyboard: Task = {
  ...CALC,
  name: 'calc-by-keyboard',
  params: ({ home }) => ({
    table: 'Item\tPrice\nPen\t1.5\nInk\t7\nTotal\t=SUM(B2:B3)\n',
    file: join(home, 'prices.ods'),
  }),
  plain: [
    ['launch', 'soffice', '--wait', '--timeout', '60000', '--', '--calc'],
    ['type', '{{param.table}}'],
    ...SAVE,
  ],
  check: hasPrices,
};

const byValues: Task = {
  ...CALC,
  name: 'calc-by-values',
  params: ({ home }) => ({
    first_item: 'Pen',
    first_price: '1.5',
    second_item: 'Ink',
    second_price: '7',
    total: '8.5',
    file: join(home, 'prices.ods'),
  }),
  plain: [
    ['launch', 'soffice', '--wait', '--timeout', '60000', '--', '--calc'],
    ['set-value', 'app:soffice >> cell:A1', 'Item'],
    ['set-value', 'app:soffice >> cell:B1', 'Price'],
    ['set-value', 'app:soffice >> cell:A2', '{{param.first_item}}'],
    ['set-value', 'app:soffice >> cell:B2', '{{param.first_price}}'],
    ['set-value', 'app:soffice >> cell:A3', '{{param.second_item}}'],
    ['set-value', 'app:soffice >> cell:B3', '{{param.second_price}}'],
    ['set-value', 'app:soffice >> cell:A4', 'Total'],
    ['set-value', 'app:soffice >> cell:B4', '=SUM(B2:B3)'],
    ...SAVE,
  ],
  check: hasPrices,
};

const LETTER = ['The color is red.', 'Another color, another day.'];
/** A flat OpenDocument text. */
const FLAT_LETTER = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  ' office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>',
  ...LETTER.map((line) => `<text:p>${line}</text:p>`),
  '</office:text></office:body></office:document>\n',
].join('');

const replace: Task = {
  name: 'writer-replace',
  applications: ['libreoffice-writer'],
  packages: ['libreoffice-writer', 'libreoffice-gtk3'],
  files: { 'letter.fodt': FLAT_LETTER },
  params: ({ home }) => ({ file: join(home, 'letter.fodt'), find: 'color', replace: 'colour' }),
  plain: [
    ['launch', 'soffice', '--wait', '--timeout', '60000', '--', '--writer', '{{param.file}}'],
    ['menu', 'Edit > Find and Replace…', '--app', 'soffice'],
    ['set-value', 'app:soffice >> role:group[name="Search For"] >> role:textbox', '{{param.find}}'],
    ['set-value', 'app:soffice >> role:group[name="Replace With"] >> role:textbox', '{{param.replace}}'],
    ['click', '<button "Replace All">'],
    ['click', '<button "Close">'],
    ['menu', 'File > Save', '--app', 'soffice'],
  ],
  check: async (home) => {
    assert.deepEqual(
      await paragraphsOf(join(home, 'letter.fodt')),
      LETTER.map((line) => line.replaceAll('color', 'colour')),
    );
  },
};

async function paragraphsOf(file: string): Promise<string[]> {
  return elements(await readFile(file, 'utf8'), 'text:p').map(({ body }) => textOf(body));
}

const NOTE = 'Milk and bread.\n';

const menuPaths: Task = {
  name: 'menu-paths',
  applications: ['mousepad', 'featherpad', 'libreoffice-writer'],
  packages: ['mousepad', 'featherpad', 'libreoffice-writer', 'libreoffice-gtk3'],
  files: { 'gtk.txt': NOTE, 'qt.txt': NOTE, 'office.fodt': FLAT_LETTER },
  params: ({ home }) => ({
    gtk_file: join(home, 'gtk.txt'),
    qt_file: join(home, 'qt.txt'),
    office_file: join(home, 'office.fodt'),
  }),
  plain: [
    ['launch', 'mousepad', '--wait', '--', '{{param.gtk_file}}'],
    ['press', 'ctrl+a', '--app', 'mousepad'],
    ['menu', 'Edit > Convert > To Uppercase', '--app', 'mousepad'],
    ['menu', 'File > Save', '--app', 'mousepad'],
    ['launch', 'featherpad', '--wait', '--', '{{param.qt_file}}'],
    ['press', 'ctrl+a', '--app', 'featherpad'],
    ['menu', 'Edit > To Upper Case', '--app', 'featherpad'],
    ['menu', 'File > Save', '--app', 'featherpad'],
    ['launch', 'soffice', '--wait', '--timeout', '60000', '--', '--writer', '{{param.office_file}}'],
    ['menu', 'Edit > Select All', '--app', 'soffice'],
    ['menu', 'Format > Text > UPPERCASE', '--app', 'soffice'],
    ['menu', 'File > Save', '--app', 'soffice'],
  ],
  check: async (home) => {
    await hasText(home, 'gtk.txt', NOTE.toUpperCase());
    await hasText(home, 'qt.txt', NOTE.toUpperCase());
    assert.deepEqual(
      await paragraphsOf(join(home, 'office.fodt')),
      LETTER.map((line) => line.toUpperCase()),
    );
  },
};

const SLIDES = [['Results'], ['Sales', 'North is up', 'South is down'], ['Thank you']];
const [[title = ''] = [], [secondTitle = '', ...points] = [], [thirdTitle = ''] = []] = SLIDES;
const TITLE = 'app:soffice >> role:group[name=PresentationTitle] >> role:paragraph';

const deck: Task = {
  name: 'impress-deck',
  applications: ['libreoffice-impress'],
  packages: ['libreoffice-impress', 'libreoffice-gtk3'],
  params: ({ home }) => ({
    title,
    second_title: secondTitle,
    second_points: points.join('\n'),
    third_title: thirdTitle,
    file: join(home, 'results.odp'),
  }),
  plain: [
    ['launch', 'soffice', '--wait', '--timeout', '60000', '--', '--impress'],
    ['wait', '--window', 'Select a Template'],
    ['snapshot', '--app', 'soffice', '--window', 'Select a Template'],
    ['click', '<button "Close">'],
    ['double-click', TITLE],
    ['type', '{{param.title}}'],
    ['press', 'Escape', '--app', 'soffice'],
    ['menu', 'Slide > New Slide', '--app', 'soffice'],
    ['double-click', TITLE],
    ['type', '{{param.second_title}}'],
    ['press', 'Escape', '--app', 'soffice'],
    ['double-click', 'app:soffice >> role:group[name=PresentationOutliner] >> role:paragraph'],
    ['type', '{{param.second_points}}'],
    ['press', 'Escape', '--app', 'soffice'],
    ['menu', 'Slide > New Slide', '--app', 'soffice'],
    ['double-click', TITLE],
    ['type', '{{param.third_title}}'],
    ['press', 'Escape', '--app', 'soffice'],
    ...SAVE,
  ],
  check: async (home) => {
    const pages = elements(await contentOf(join(home, 'results.odp')), 'draw:page');
    const slides = pages.map(({ body }) => elements(body.split('<presentation:notes')[0] ?? '', 'text:p'));
    assert.deepEqual(
      slides.map((lines) => lines.map((line) => textOf(line.body)).filter((line) => line !== '')),
      SLIDES,
    );
  },
};

export const OFFICE_FILES: readonly Task[] = [byKeyboard, byValues, replace, menuPaths, deck];
