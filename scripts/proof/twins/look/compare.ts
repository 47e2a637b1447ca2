import {
  differentTiles,
  isCovered,
  pictureOf,
  tilesAt,
  without,
  type Picture,
  type Tiles,
} from './picture.ts';
import { isHarmlessNode, isOfPointer, drawsLeftOut, tellingStates, tellingValue } from './harmless.ts';
import type { Files } from './files.ts';
import type { Frame } from '../side/frame.ts';
import { placed, type Box, type Placed, type Seen } from './tree.ts';

/** Everything that is compared of a side at one moment. */
export interface View {
  readonly seen: Seen;
  readonly frame: Frame;
  readonly files: Files;
}

/** What changes by itself, such as a clock, and is therefore not compared. */
export interface Restless {
  readonly tiles: Tiles;
  /** Places in the tree, as {@link treeLines} begins its lines. */
  readonly places: ReadonlySet<string>;
  /** Paths of files. */
  readonly files: ReadonlySet<string>;
}

export const NOTHING_RESTLESS: Restless = { tiles: new Set(), places: new Set(), files: new Set() };

/** What one view has and the other has not. Empty lists: the same to a person. */
export interface Difference {
  readonly tree: Sides;
  readonly windows: Sides;
  readonly files: Sides;
  /** Where something looks different. */
  readonly picture: Picture | undefined;
}

interface Sides {
  readonly only: readonly string[];
  readonly other: readonly string[];
}

/** What differs between two views, which may be of two sides or of one side at two moments. */
export function compareViews(one: View, other: View, restless: Restless): Difference {
  const lines = ({ seen }: View): string[] =>
    treeLines(seen, restless.places).map(({ place, text }) => place + text);
  return {
    tree: difference(lines(one), lines(other)),
    windows: difference(windowLines(one.seen), windowLines(other.seen)),
    files: difference(fileLines(one.files), fileLines(other.files)),
    picture: comparePictures(
      one.frame,
      other.frame,
      new Set([...restless.tiles, ...untoldPlaces(one, other)]),
    ),
  };
}

/** The squares in which both views say where their pointer was, or what else is left out of their names. */
function untoldPlaces(one: View, other: View): Tiles {
  const [here, there] = [one, other].map(({ seen }) =>
    [...placed(seen)].filter(({ node, above }) => isOfPointer(node, above.at(-1)) || drawsLeftOut(node)),
  );
  if (here?.length !== there?.length) return new Set();
  const boxes = [...(here ?? []), ...(there ?? [])].flatMap(({ node: { box } }) =>
    box === null ? [] : [box],
  );
  return new Set(boxes.flatMap((box) => [...tilesAt(box, one.frame.width, false)]));
}

export function comparePictures(one: Frame, other: Frame, masked: Tiles): Picture | undefined {
  return pictureOf(without(differentTiles(one, other), masked), one.width);
}

export function isSame(found: Difference): boolean {
  return isSameExceptPicture(found) && found.picture === undefined;
}

export function isSameExceptPicture({ tree, windows, files }: Difference): boolean {
  return [tree, windows, files].every(({ only, other }) => only.length === 0 && other.length === 0);
}

/** Whether the first of the two has everything that the other one has. */
export function isOnlyMore({ tree, windows, files }: Difference): boolean {
  return [tree, windows, files].every(({ other }) => other.length === 0) && tree.only.length > 0;
}

/** Whether labels are all that differs in the trees, and neither windows nor files differ. */
export function isOnlyLabels({ tree, windows, files }: Difference): boolean {
  const others = [windows, files].flatMap(({ only, other }) => [...only, ...other]);
  const lines = [...tree.only, ...tree.other];
  return others.length === 0 && lines.length > 0 && lines.every((line) => LABEL.test(line));
}

/** A line of the tree that is about a label. */
const LABEL = /^[^"]* › label\[\d+\] "/;

/** The lines of a change, to see whether two changes have anything in common. */
export function changedLines({ tree, windows, files }: Difference): ReadonlySet<string> {
  return new Set([tree, windows, files].flatMap(({ only, other }) => [...only, ...other]));
}

/** Whether a difference has nothing that another one has not. */
export function isPartOf(part: Difference, whole: Difference): boolean {
  const known = changedLines(whole);
  const [inside, around] = [part.picture, whole.picture];
  const isPictured = inside === undefined || (around !== undefined && isCovered(inside, around));
  return isPictured && !isSame(part) && [...changedLines(part)].every((line) => known.has(line));
}

/**
 * Whether a difference in the tree is one that a click made, too. Its picture must be part of that of the click; one without a line of the
 * tree says too little about what it shows.
 */
export function isOnlyByClick(part: Difference, click: Difference): boolean {
  return changedLines(part).size > 0 && isPartOf(part, click);
}

/** Whether one box is inside another. */
export function isWithin([x, y, width, height]: Box, [left, top, across, down]: Box): boolean {
  return x >= left && y >= top && x + width <= left + across && y + height <= top + down;
}

function difference(one: readonly string[], other: readonly string[]): Sides {
  return { only: leftOver(one, other), other: leftOver(other, one) };
}

/** The lines of `from` that `taken` has not, or fewer times. */
function leftOver(from: readonly string[], taken: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of taken) counts.set(line, (counts.get(line) ?? 0) + 1);
  return from.filter((line) => {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    return left === 0;
  });
}

/** One line for each node: where it is, and what a person would see of it. Positions on the screen are left to the picture. */
export function treeLines(
  seen: Seen,
  left: ReadonlySet<string>,
): { readonly place: string; readonly text: string }[] {
  const lines: { place: string; text: string }[] = [];
  for (const one of placed(seen)) {
    if ([one.node, ...one.above].some(isHarmlessNode)) continue;
    const place = placeOf(one);
    if (!left.has(place)) lines.push({ place, text: textOf(one) });
  }
  return lines;
}

/** The places at which two readings of the same screen differ. */
export function restlessPlaces(one: Seen, other: Seen): string[] {
  const later = new Map(treeLines(other, new Set()).map(({ place, text }) => [place, text]));
  return treeLines(one, new Set())
    .filter(({ place, text }) => later.has(place) && later.get(place) !== text)
    .map(({ place }) => place);
}

/**
 * Windows have no number: their order may differ. Below them, hidden children do not count, and neither do those of other roles: toolkits list
 * the parts of a window in the order in which they made them, which differs from start to start.
 */
export function placeOf({ node, above, application }: Placed): string {
  const [window, ...rest] = [...above, node];
  let parent = window;
  const steps = rest.map((one) => {
    const alike = parent.children.filter(({ role }) => role === one.role);
    parent = one;
    return `${one.role}[${alike.indexOf(one)}]`;
  });
  return [application.name, window.role, ...steps].join(' › ');
}

function textOf({ node, above }: Placed): string {
  const value = tellingValue(node);
  const text = isOfPointer(node, above.at(-1)) ? 'the place of the pointer' : node.text;
  const parts = [
    JSON.stringify(node.name),
    ...(text === undefined || text === node.name ? [] : [`text ${JSON.stringify(text)}`]),
    ...(value === undefined ? [] : [`value ${Number(value.toPrecision(6))}`]),
    ...tellingStates(node),
  ];
  return ` ${parts.join(', ')}`;
}

function windowLines({ windows }: Seen): string[] {
  return windows
    .filter(({ managed }) => managed)
    .map(
      ({ title, box: [x, y, width, height] }) =>
        `window ${JSON.stringify(title)} at ${x},${y} ${width}×${height}`,
    );
}

function fileLines(files: Files): string[] {
  return [...files].map(([path, what]) => `file ${path} ${what}`);
}
