import { z } from 'zod';
import { HAND_USES, type HandUse } from '../../src/model/effects/seat.ts';
import { page, table } from './markdown.ts';

/** Fewer prove nothing. */
const LEAST = 10;
const HARM = ['user moved', 'keys of the user lost', 'keys in a wrong place'];
const TOOLKITS: Readonly<Record<string, string>> = {
  gtk3: 'GTK 3',
  gtk4: 'GTK 4',
  qt5: 'Qt 5',
  qt6: 'Qt 6',
  gecko: 'Firefox',
  chromium: 'Chromium',
  java: 'Swing',
  none: 'no accessibility tree (Tk)',
  libreoffice: 'LibreOffice Calc',
};
/** What else was measured with a toolkit; it follows its name. */
const SAME_APPLICATION = ' (same application)';
const TWO_LISTS = ' (two lists)';
const TWO_PROGRAMS = ' (two programs)';
const INPUT_METHOD = ' (input method)';
/** Of a row that says whether a cell could be judged at all; of 0 repeats if what it needs is not installed. */
const MEASURED = ': measured';
/** What the page says of as not measured until it is. */
const WANTED: readonly (readonly [string, (toolkit: string) => boolean])[] = [
  ['LibreOffice', (toolkit) => toolkit === 'libreoffice'],
  ['wine', (toolkit) => toolkit === 'wine'],
  ['drag and drop between programs', (toolkit) => toolkit.endsWith(TWO_PROGRAMS)],
  ['input methods', (toolkit) => toolkit.endsWith(INPUT_METHOD)],
];
const Row = z.looseObject({
  row: z.string(),
  repeats: z.int(),
  passes: z.int(),
  failures: z.array(z.string()).optional(),
  counts: z.record(z.string(), z.number()),
});
type Row = z.output<typeof Row>;

/** What was measured with one toolkit under one window manager. */
interface Cell {
  readonly manager: string;
  readonly toolkit: string;
  readonly acts: ReadonlyMap<HandUse, Row>;
  /** What of the user a program takes for a menu when nothing keeps it from that. */
  readonly menus: Row | undefined;
}

/**
 * The table of what is done with a keyboard and a pointer of our own, and its page.
 * @param text `docs/proof/seat.json`
 */
export function seatFiles(text: string): [string, string][] {
  const { rows } = z.object({ rows: z.array(Row) }).parse(JSON.parse(text));
  const cells = cellsOf(rows.filter(({ row }) => !row.endsWith(MEASURED)));
  const unjudged = rows.filter(({ row, passes }) => row.endsWith(MEASURED) && passes === 0);
  return [
    ['src/platform/linux/desktop/proven-seat.generated.json', `${JSON.stringify(tableOf(cells), null, 2)}\n`],
    ['docs/reference/seats.md', seatsPage(cells, unjudged)],
  ];
}

function cellsOf(rows: readonly Row[]): readonly Cell[] {
  const names = [...new Set(rows.map(({ row }) => row.slice(0, row.lastIndexOf(':'))))].toSorted();
  return names.map((name) => {
    const [manager = '', toolkit = ''] = name.split(': ');
    const acts = new Map<HandUse, Row>();
    for (const row of rows) {
      const use = HAND_USES.find((each) => row.row === `${name}: ${each}`);
      if (use !== undefined) acts.set(use, row);
    }
    const work = rows.find(({ row }) => row === `${name}: the user's work`);
    const menus = rows.find(({ row }) => row === `${name}: what menus take of the user`);
    return { manager, toolkit, menus, acts: work === undefined ? new Map() : withBlame(acts, work) };
  });
}

/** What the user lost after the last look, no act was blamed for when it was measured: it was the last one. */
function withBlame(acts: ReadonlyMap<HandUse, Row>, work: Row): ReadonlyMap<HandUse, Row> {
  const last = [...acts.keys()].at(-1);
  const row = last === undefined ? undefined : acts.get(last);
  const isExplained = [...acts.values()].some((each) => hasHarmed(each));
  if (work.passes === work.repeats || isExplained || last === undefined || row === undefined) return acts;
  const failure = `after the last one, something of the user was lost: ${JSON.stringify(work.counts)}`;
  const passes = Math.min(row.passes, row.repeats - 1);
  return new Map([...acts, [last, { ...row, passes, failures: [...(row.failures ?? []), failure] }]]);
}

/** Something of the user was lost, moved, or came to a wrong place. */
function hasHarmed(row: Row | undefined): boolean {
  const { counts = {} } = row ?? {};
  return HARM.some((what) => (counts[what] ?? 0) > 0);
}

function isProven(row: Row | undefined): boolean {
  return row !== undefined && row.repeats >= LEAST && row.passes === row.repeats;
}

/**
 * Settings of a window manager other than its own are rows of the page, and must hold, too: nobody tells us the setting. An act that harmed the user there with one
 * toolkit is not proven with any.
 */
function tableOf(cells: readonly Cell[]) {
  const usesOf = (cell: Cell): HandUse[] => {
    const variants = cells.filter(
      (other) => other.manager.startsWith(`${cell.manager} (`) && isShared(other) === isShared(cell),
    );
    return HAND_USES.filter(
      (use) =>
        isAllowed(cell, use) &&
        variants.every((other) =>
          other.toolkit === cell.toolkit ? isAllowed(other, use) : !hasHarmed(other.acts.get(use)),
        ),
    );
  };
  return cells
    .filter(({ manager, toolkit }) => !manager.includes('(') && !toolkit.includes('('))
    .map((cell) => {
      const { manager, toolkit } = cell;
      const beside = (what: string): Cell | undefined =>
        cells.find((other) => other.manager === manager && other.toolkit === toolkit + what);
      const shared = beside(SAME_APPLICATION);
      // A drag may be one over text or one of what is dropped elsewhere.
      const drops = [beside(TWO_LISTS), beside(TWO_PROGRAMS)].filter((other) => other !== undefined);
      const dropsArrive = drops.every((other) => isAllowed(other, 'drag'));
      const uses = usesOf(cell).filter((use) => use !== 'drag' || dropsArrive);
      const besideUser = shared === undefined ? [] : usesOf(shared).filter((use) => uses.includes(use));
      // Also if there are none: then it was measured, and failed.
      return { manager, toolkit, uses, besideUser };
    });
}

/** The user works in another window of the same application. */
function isShared({ toolkit }: Cell): boolean {
  return toolkit.endsWith(SAME_APPLICATION);
}

/** Menus that take the keyboard or the pointer of the user are not proven by menus that happened not to: we keep them from it only for a while. */
function isAllowed({ acts, menus }: Cell, use: HandUse): boolean {
  return isProven(acts.get(use)) && (use !== 'popup' || isProven(menus));
}

function seatsPage(cells: readonly Cell[], unjudged: readonly Row[]): string {
  const acts = cells.flatMap((cell) => [...cell.acts.values()]);
  const sum = (of: (row: Row) => number): string =>
    acts.reduce((all, row) => all + of(row), 0).toLocaleString('en');
  return page('A keyboard and a pointer of its own: what is proven', [
    '`npm run proof -- seat` does acts with a keyboard and a pointer of its own, while a scripted user types, drags and opens menus in another window. Each application records',
    'what arrived. `--seat own` allows an act only with the toolkits and window managers where all acts of its kind arrived and the user lost nothing; it refuses the others. With',
    'the setting `input.seat`, the others use the keyboard and pointer of the user, and `via` says so.',
    '',
    `${sum(({ repeats }) => repeats)} acts: ${sum(({ passes }) => passes)} arrived and left the user alone, during ${sum((row) => row.counts['keys of the user lost'] ?? 0)} of them keys of the user were lost, ${sum((row) => row.counts['keys in a wrong place'] ?? 0)} keys came to a wrong place, ${sum((row) => row.counts['falsely confirmed'] ?? 0)} were falsely confirmed. ✓: all of at least ${LEAST}. Otherwise: how many of how many; three failures end a row.`,
    '',
    ...table(
      ['window manager', 'toolkit', ...HAND_USES],
      cells.map((cell) => [cell.manager, toolkitName(cell), ...HAND_USES.map((use) => cellText(cell, use))]),
    ),
    '',
    'Openbox with its own settings is refused, too, what harmed the user when the focus follows the pointer: nobody tells us the setting.',
    '',
    '*hover*: the application says that the pointer came in. *popup*: lists of combo boxes, and context menus that showed, by the record of the application. Allowed only if a menu takes neither',
    'the keyboard nor the pointer of the user when nothing keeps it from that. *drag*: over text; *two lists*: a row is dragged from one list to another; *two programs*: a text',
    'is dragged out of this one and dropped on one of another toolkit. *keys*: texts and single keys; *input method*: in a layout with dead keys, through an input method of the X library. *same',
    'application*: the user works in one window of it, and the acts go to another; what fails there is refused there. Toolkits and window managers that are not here',
    `are refused.${notMeasured(cells)}`,
    '',
    ...unjudged.map(
      ({ row, failures = [] }) =>
        `- ${row.slice(0, -MEASURED.length)}: not judged: ${plain(failures[0] ?? '')}`,
    ),
    ...(unjudged.length === 0 ? [] : ['']),
    'The rows were recorded before some of these checks existed: hovers over GTK, Qt and Swing show only that the user was left alone, and drags, keys and wheels in Firefox, Chromium and Tk were told from',
    'the length of a text or from any movement.',
    '',
    '## Causes that are known',
    '',
    '- **GTK 4** grabs its default seat (`gdk_display_get_default_seat`) for each menu and list, whoever opened it. That seat is the keyboard and pointer of the user. While we freeze',
    '  their keyboard, the grab fails and the menu closes again. **Qt** and **Swing** grab both, too.',
    '- **Qt** takes all pointers of the display when it grabs one (`xi2SetMouseGrabEnabled`): a drag of the user was lost while a row was dragged between two lists of Qt 6.',
    '- **Qt** has one focused element for all windows of a program: what another keyboard types in one of them comes to the one that the user works in, or nowhere.',
    '- **Chromium** takes all pointers of the display while a button is down in it (`XIGrabDevice` for each master), so what the user presses elsewhere in these milliseconds goes to',
    '  Chromium: a click there is lost, and so is the drag of the user.',
    '- **Firefox** turns the support for several pointers off in GTK, and the wheel of a second one does not arrive. Started with `MOZ_USE_XINPUT2=1`, it arrives; nothing else is',
    '  measured so.',
    '- **Mutter**, GNOME Shell and Cinnamon use freed memory once a second pointer was removed, and crash sooner or later. There, the pointer stays in the corner of the screen and',
    '  serves the next process.',
    '',
    '## What was lost',
    '',
    ...cells.flatMap((cell) =>
      [...cell.acts].flatMap(([use, { failures = [] }]) =>
        worstFirst(failures)
          .slice(0, 1)
          .map((failure) => `- ${cell.manager}, ${toolkitName(cell)}, ${use}: ${plain(failure)}`),
      ),
    ),
  ]);
}

function notMeasured(cells: readonly Cell[]): string {
  const missing = WANTED.filter(([, isIt]) => !cells.some(({ toolkit }) => isIt(toolkit))).map(
    ([name]) => name,
  );
  return missing.length === 0 ? '' : ` Not measured: ${missing.join(', ')}.`;
}

function cellText(cell: Cell, use: HandUse): string {
  const row = cell.acts.get(use);
  if (row === undefined) return '–';
  if (isAllowed(cell, use)) return '✓';
  const count = `${row.passes} of ${row.repeats}`;
  if (use !== 'popup') return count;
  const taken = ['keyboard', 'pointer'].filter((device) => (cell.menus?.counts[`${device} taken`] ?? 0) > 0);
  return `${count}; ${taken.length > 0 ? `takes the ${taken.join(' and the ')}` : 'not known what it takes'}`;
}

function toolkitName({ toolkit }: Cell): string {
  const [plain = '', ...rest] = toolkit.split(' (');
  return [TOOLKITS[plain] ?? plain, ...rest].join(' (');
}

function worstFirst(failures: readonly string[]): readonly string[] {
  return failures.toSorted((a, b) => Number(b.includes('wrong place')) - Number(a.includes('wrong place')));
}

function plain(failure: string): string {
  return failure
    .replace(/^#\d+: /, '')
    .replaceAll(/[<>|`]/g, ' ')
    .slice(0, 200);
}
