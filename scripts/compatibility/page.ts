import { OUTCOMES, SECTIONS, TOOLKITS_ON, type CompatibilityRow, type TestedDisplay } from './rows.ts';

const HEAD = `# Compatibility

Generated from the end-to-end tests by \`scripts/compatibility.ts\`; do not edit. Each cell is one test of the built program on a real application
(Debian 12 packages), judged by the application's own record: the log of a window with the toolkit's widgets, the script of a web page, the saved
spreadsheet; for windows, the X server. The commands ran without options such as \`--mode\`, so "works" includes acts with keyboard or pointer where
accessibility offers no action. "refused" means that the command reported why it cannot act, and the record confirms that nothing happened; the note has
the error code (ACTION_NOT_SUPPORTED, NOT_ACTIONABLE, or for \`menu\` that there is no such menu). Any other failure is "fails".

`;

const ON_WAYLAND = `# On Wayland

The same tests on a private sway, judged by swaymsg instead of the X server. Toolkits that are missing here were not tested on it.

`;

/** The page for the rows of each display. */
export function renderPage(rows: Readonly<Record<TestedDisplay, readonly CompatibilityRow[]>>): string {
  return `${HEAD}${half('x11', rows.x11)}\n${ON_WAYLAND}${half('wayland', rows.wayland)}`;
}

function half(display: TestedDisplay, rows: readonly CompatibilityRow[]): string {
  const columns = TOOLKITS_ON[display];
  const sections = SECTIONS.map(
    ({ title, commands }) => `## ${headed(display, title)}\n\n${table({ columns, commands }, rows)}\n`,
  );
  return `${sections.join('')}${reasons(headed(display, 'Notes'), rows)}`;
}

/** Headings of a page differ, so that links find them. */
function headed(display: TestedDisplay, title: string): string {
  return display === 'x11' ? title : `${title}, Wayland`;
}

function table(
  { columns, commands }: { readonly columns: readonly string[]; readonly commands: readonly string[] },
  rows: readonly CompatibilityRow[],
): string {
  const cell = (toolkit: string, command: string): string => {
    const row = rows.find((each) => each.toolkit === toolkit && each.command === command);
    if (row === undefined) return 'not tested';
    return row.reason === undefined ? row.outcome : `${row.outcome} [${noteNumber(row, rows)}]`;
  };
  const cells = [
    ['command', ...columns],
    ...commands.map((command) => [`\`${command}\``, ...columns.map((toolkit) => cell(toolkit, command))]),
  ];
  const widths = columns
    .map((_, column) => column + 1)
    .reduce(
      (known, column) => [...known, Math.max(...cells.map((line) => line[column]?.length ?? 0))],
      [Math.max(...cells.map((line) => line[0]?.length ?? 0))],
    );
  const line = (texts: readonly string[]): string =>
    `| ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...body] = cells;
  return `${line(head)}${line(widths.map((width) => '-'.repeat(width)))}${body.map((texts) => line(texts)).join('')}`;
}

function reasons(title: string, rows: readonly CompatibilityRow[]): string {
  const explained = rows.filter((row) => row.reason !== undefined);
  if (explained.length === 0) return '';
  const lines = explained.map(
    (row, index) => `${index + 1}. ${row.toolkit}, \`${row.command}\`, ${row.outcome}: ${row.reason}`,
  );
  return `## ${title}\n\n${lines.join('\n')}\n`;
}

function noteNumber(row: CompatibilityRow, rows: readonly CompatibilityRow[]): number {
  return rows.filter((each) => each.reason !== undefined).indexOf(row) + 1;
}

/** What got worse, and what merely could not be compared. */
export function compareRows(
  committed: readonly CompatibilityRow[],
  measured: readonly CompatibilityRow[],
): { readonly worse: readonly string[]; readonly notes: readonly string[] } {
  const worse: string[] = [];
  const notes: string[] = [];
  for (const row of measured) {
    const known = committed.find((each) => each.toolkit === row.toolkit && each.command === row.command);
    const what = `${row.toolkit}: ${row.command}`;
    if (known === undefined) worse.push(`${what} is not in the recorded table`);
    else if (row.outcome === 'skipped') notes.push(`${what} was skipped: ${row.reason ?? 'no reason'}`);
    else if (OUTCOMES.indexOf(row.outcome) > OUTCOMES.indexOf(known.outcome))
      worse.push(`${what} got worse: ${known.outcome} before, now ${row.outcome}: ${row.reason ?? ''}`);
    else if (row.outcome !== known.outcome)
      notes.push(`${what} got better: ${row.outcome}; regenerate the page`);
  }
  return { worse, notes };
}
