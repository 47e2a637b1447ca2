import { page, table } from '../markdown.ts';
import { comparedPicture } from './compared-picture.ts';
import { curvePictures } from './curve-picture.ts';
import { RecordedBench, type RecordedFigure } from './recorded.ts';

const PICTURES = 'images/benchmarks';

/** The page and its pictures, by their paths in `docs`. @param texts of all `docs/bench/*.json` */
export function benchmarkFiles(texts: readonly string[]): ReadonlyMap<string, string> {
  const benches = texts
    .map((text) => RecordedBench.parse(JSON.parse(text)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const files = new Map<string, string>();
  const sections = benches.flatMap((bench) => {
    const pictures = picturesOf(bench);
    for (const [name, picture] of pictures) files.set(`${PICTURES}/${name}`, picture);
    return section(bench, [...pictures.keys()]);
  });
  files.set(
    'benchmarks.md',
    page('Benchmarks', [
      'Every figure and picture here was generated from the records in `docs/bench`, which `npm run bench -- NAME --record` writes; none is typed by hand. What a',
      'figure is compared with was measured in the same run, on the same machine and, for acts, on the same windows. A goal that was missed is shown as missed.',
      '',
      ...table(
        ['benchmark', 'goals met', 'date', 'commit', 'load at the end'],
        benches.map(({ name, figures, date, commit, machine }) => {
          const judged = figures.filter(({ met }) => met !== undefined);
          const met = judged.filter((figure) => figure.met === true);
          return [
            `[${name}](#${name})`,
            judged.length === 0 ? '–' : `${met.length} of ${judged.length}`,
            date,
            commit,
            `${machine.load_after} on ${machine.processors} processors`,
          ];
        }),
      ),
      '',
      'A load above the number of processors means that other work slowed both sides: ratios are then worth more than times.',
      ...sections,
    ]),
  );
  return files;
}

function picturesOf({ name, figures }: RecordedBench): ReadonlyMap<string, string> {
  const compared = comparedPicture(name, figures);
  const curves = [...curvePictures(name, figures)].map(([axis, picture]): [string, string] => [
    `${name}-by-${axis.replaceAll(/[^a-z]+/g, '-')}.svg`,
    picture,
  ]);
  return new Map([...(compared === undefined ? [] : [[`${name}.svg`, compared] as const]), ...curves]);
}

function section({ name, figures, machine, parts }: RecordedBench, pictures: readonly string[]): string[] {
  const judged = figures.filter(({ met, beside }) => met !== undefined || beside !== undefined);
  const rest = figures.filter((figure) => !judged.includes(figure));
  return [
    '',
    `## ${name}`,
    '',
    `Node ${machine.node}, ${machine.system}, ${machine.processors} × ${machine.processor}.`,
    ...(parts.length === 0
      ? []
      : [
          '',
          'Measured in parts; one that is not listed was not measured.',
          '',
          ...table(
            ['part', 'date', 'commit', 'load at the end'],
            parts.map(({ only, date, commit, load_after: load }) => [
              `\`--only '${only}'\``,
              date,
              commit,
              String(load),
            ]),
          ),
        ]),
    ...pictures.flatMap((picture) => [
      '',
      `![${picture.replace('.svg', '').replaceAll('-', ' ')}](${PICTURES}/${picture})`,
    ]),
    ...(judged.length === 0 ? [] : ['', ...figureTable(judged)]),
    ...(rest.length === 0
      ? []
      : ['', '<details><summary>All other figures</summary>', '', ...figureTable(rest), '', '</details>']),
  ];
}

function figureTable(figures: readonly RecordedFigure[]): string[] {
  return table(
    ['figure', 'ours', 'beside', 'ratio', 'goal', '', 'note'],
    figures.map(({ what, value, unit, baseline, beside, ratio, goal, met, note }) => [
      what,
      `${value} ${unit}`,
      baseline === undefined ? '' : `${baseline}${beside === undefined ? '' : ` (${beside})`}`,
      ratio === undefined ? '' : String(ratio),
      goal ?? '',
      met === undefined ? '' : met ? 'met' : '**not met**',
      inCell(note ?? ''),
    ]),
  );
}

/** Notes quote what tools have said, which may look like Markdown or HTML. */
function inCell(note: string): string {
  return note
    .replaceAll(/\s+/g, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll(/([*_`[\]\\])/g, String.raw`\$1`);
}
