import type { RecordedFigure } from './recorded.ts';
import { colourAt, coordinate, dot, line, LogAxis, picture, text, tickName } from './svg.ts';

const LEFT = 80;
const RIGHT = 640;
const TOP = 50;
const BOTTOM = 320;

interface Point {
  readonly at: number;
  readonly value: number;
}

/** One picture for each axis that figures have points on, by the name of the axis. */
export function curvePictures(name: string, figures: readonly RecordedFigure[]): ReadonlyMap<string, string> {
  const axes = new Map<string, { readonly unit: string; readonly curves: Map<string, Point[]> }>();
  for (const { value, unit, point } of figures) {
    // A logarithmic axis has no place for 0.
    if (point === undefined || point.at <= 0 || value <= 0) continue;
    const axis = axes.get(point.axis) ?? { unit, curves: new Map<string, Point[]>() };
    axes.set(point.axis, axis);
    axis.curves.set(point.curve, [...(axis.curves.get(point.curve) ?? []), { at: point.at, value }]);
  }
  return new Map([...axes].map(([axis, { unit, curves }]) => [axis, drawn(name, axis, unit, curves)]));
}

function drawn(
  name: string,
  axis: string,
  unit: string,
  curves: ReadonlyMap<string, readonly Point[]>,
): string {
  const all = [...curves.values()].flat();
  const across = new LogAxis(
    all.map(({ at }) => at),
    LEFT,
    RIGHT,
  );
  const up = new LogAxis(
    all.map(({ value }) => value),
    BOTTOM,
    TOP,
  );
  return picture(`${name}: ${unit} by number of ${axis}`, BOTTOM + 60, [
    text(20, 22, `${name}: ${unit} by number of ${axis}, both logarithmic`),
    ...across.ticks.flatMap((tick) => [
      line([across.at(tick), TOP], [across.at(tick), BOTTOM], '#dddddd'),
      text(across.at(tick), BOTTOM + 18, tickName(tick), { anchor: 'middle' }),
    ]),
    text((LEFT + RIGHT) / 2, BOTTOM + 42, axis, { anchor: 'middle' }),
    ...up.ticks.flatMap((tick) => [
      line([LEFT, up.at(tick)], [RIGHT, up.at(tick)], '#dddddd'),
      text(LEFT - 8, up.at(tick) + 4, `${tickName(tick)} ${unit}`, { anchor: 'end' }),
    ]),
    ...[...curves].flatMap(([curve, points], index) => curveOf(curve, points, index, { across, up })),
  ]);
}

function curveOf(
  curve: string,
  points: readonly Point[],
  index: number,
  { across, up }: { readonly across: LogAxis; readonly up: LogAxis },
): string[] {
  const places = points
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, value }): [number, number] => [across.at(at), up.at(value)]);
  const path = places.map(([x, y]) => `${coordinate(x)},${coordinate(y)}`).join(' ');
  const y = TOP + 14 + index * 22;
  return [
    `<polyline points="${path}" fill="none" stroke="${colourAt(index)}" stroke-width="2"/>`,
    ...places.map(([x, height]) => dot(x, height, colourAt(index))),
    dot(RIGHT + 24, y - 4, colourAt(index)),
    text(RIGHT + 36, y, curve),
  ];
}
