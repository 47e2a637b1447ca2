import type { RecordedFigure } from './recorded.ts';
import { colourAt, dot, line, LogAxis, picture, text, tickName } from './svg.ts';

const LABEL_RIGHT = 400;
const AXIS_RIGHT = 830;
const ROW = 22;
const TOP = 74;

interface Row {
  readonly label: string;
  readonly ours: number;
  readonly peers: { readonly name: string; readonly value: number }[];
  goal?: number | undefined;
}

/** Times as dots on a logarithmic axis, with what they are compared with and their goals; `undefined` if there is nothing to compare. */
export function comparedPicture(name: string, figures: readonly RecordedFigure[]): string | undefined {
  const rows = rowsOf(figures);
  if (rows.length === 0) return undefined;
  const names = [...new Set(rows.flatMap(({ peers }) => peers.map((peer) => peer.name)))];
  const values = rows.flatMap(({ ours, peers, goal }) => [
    ours,
    ...peers.map(({ value }) => value),
    ...(goal === undefined ? [] : [goal]),
  ]);
  const axis = new LogAxis(values, LABEL_RIGHT + 15, AXIS_RIGHT);
  const bottom = TOP + rows.length * ROW;
  return picture(`${name}: times compared`, bottom + 30, [
    text(20, 22, `${name}: milliseconds, logarithmic; less is better`),
    ...legend(names),
    ...axis.ticks.flatMap((tick) => [
      line([axis.at(tick), TOP - 8], [axis.at(tick), bottom], '#dddddd'),
      text(axis.at(tick), bottom + 18, tickName(tick), { anchor: 'middle' }),
    ]),
    ...rows.flatMap((row, index) => drawn(row, TOP + index * ROW + ROW / 2, axis, names)),
  ]);
}

/** Figures that differ only in what they are compared with are one row. */
function rowsOf(figures: readonly RecordedFigure[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { what, value, unit, baseline, beside, goal } of figures) {
    const limitMs = Number(/^<=? (\d+(?:\.\d+)?) ms$/.exec(goal ?? '')?.[1] ?? Number.NaN);
    if (unit !== 'ms' || value <= 0 || (beside === undefined && Number.isNaN(limitMs))) continue;
    const label = what.replace(/, beside [^,]+/, '').replace(/, over MCP|, whole call/, '');
    const row = rows.get(label) ?? { label, ours: value, peers: [] };
    rows.set(label, row);
    if (beside !== undefined && baseline !== undefined && baseline > 0)
      row.peers.push({ name: beside, value: baseline });
    if (!Number.isNaN(limitMs)) row.goal = limitMs;
  }
  return [...rows.values()];
}

function legend(names: readonly string[]): string[] {
  let x = 20;
  return ['deskterity', ...names, 'goal'].flatMap((name, index) => {
    const isGoal = index > names.length;
    const mark = isGoal
      ? line([x + 4, 36], [x + 4, 50], '#c2185b', 3)
      : dot(x + 4, 43, colourAt(index), index === 0);
    const parts = [mark, text(x + 14, 47, name)];
    x += 40 + name.length * 6.8;
    return parts;
  });
}

function drawn(
  { label, ours, peers, goal }: Row,
  y: number,
  axis: LogAxis,
  names: readonly string[],
): string[] {
  const all = [ours, ...peers.map(({ value }) => value)];
  return [
    text(LABEL_RIGHT, y + 4, shortened(label), { anchor: 'end' }),
    line([axis.at(Math.min(...all)), y], [axis.at(Math.max(...all)), y], '#999999'),
    ...(goal === undefined ? [] : [line([axis.at(goal), y - 8], [axis.at(goal), y + 8], '#c2185b', 3)]),
    ...peers.map((peer) => dot(axis.at(peer.value), y, colourAt(names.indexOf(peer.name) + 1), false)),
    dot(axis.at(ours), y, colourAt(0)),
  ];
}

function shortened(label: string): string {
  return label.length <= 58 ? label : `${label.slice(0, 57)}…`;
}
