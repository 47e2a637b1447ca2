import { keyOf, keyText } from '../twins/act/widgets.ts';
import { placed, type Box, type Placed, type Seen, type SeenNode } from '../twins/look/tree.ts';
import type { Frame } from '../twins/side/frame.ts';
import { flatten, type Listed, type Listing } from './listed.ts';
import { common, isFlat, Rule, type Sight } from './rule.ts';

/** One reading of an application by both, with what it showed meanwhile. */
export interface Look {
  readonly before: Seen;
  readonly frame: Frame;
  readonly listing: Listing;
  /** Read again afterwards: what has changed by then cannot be judged. */
  readonly after: Seen;
}

export interface Comparison {
  /** Nodes with a name or a use that are seen. */
  readonly seen: number;
  readonly lost: readonly string[];
  /** Elements listed as visible that could be judged. */
  readonly listed: number;
  readonly ghosts: readonly string[];
  /** Places where something is drawn that neither libatspi nor the listing describes, and that the listing does not name as a gap. */
  readonly holes: readonly string[];
  /** By reason: what could not be judged. */
  readonly unjudged: Readonly<Record<string, number>>;
}

/** What people press, choose, move or type into. */
const USABLE = new Set(
  (
    'button,check box,check menu item,column header,combo box,entry,link,list item,menu,menu item,page tab,password text,' +
    'push button,push button menu,radio button,radio menu item,slider,spin button,switch,table cell,table column header,table row,' +
    'terminal,text,toggle button,tree item'
  ).split(','),
);
/** Their arrows, fields and pop-ups are parts of them. */
const COMPOSITES = new Set(['combo box', 'spin button', 'slider', 'progress bar']);
/** Elements that draw their own name: where one colour is, they are not. Of others a flat place may be an empty one. */
const DRAWN = new Set(
  'button,checkbox,columnheader,link,menuitem,menuitemcheckbox,menuitemradio,option,radio,rowheader,tab,text,togglebutton,treeitem'.split(
    ',',
  ),
);
/** GTK 4 names widgets without a name after their type. */
const TYPE_NAME = /^(?:(?:[A-Z][a-z]+){1,3}[A-Z]\w+|Gjs_\w+)$/;
const GTK4 = 'GTK';
const POPOVERS = new Set(['menu', 'popup menu']);
const SAME_PLACE = 0.5;
const EXACT_PLACE = 0.9;
/** Pixels in both directions from which on a place that nothing describes is a hole. */
const LARGE = 100;
const FRAME = 4;
/** Characters that are compared of a long text, which a snapshot shortens. */
const COMPARED = 120;

/** Finds what the listing lacks, and what it lists although nobody sees it. */
export function compare({ before, frame, listing, after }: Look): Comparison {
  const rule = new Rule(before, frame);
  const still = new Set([...placed(after)].map(identity));
  const judged = [...placed(before)].map((one) => ({
    one,
    sight: rule.judge(one),
    isRestless: !still.has(identity(one)),
  }));
  const unjudged: Record<string, number> = {};
  const count = (why: string): void => void (unjudged[why] = (unjudged[why] ?? 0) + 1);
  const all = [...flatten(listing.roots)];
  const lost: string[] = [];
  let seen = 0;
  for (const { one, sight, isRestless } of judged) {
    if (sight !== 'seen' || !(isUsable(one.node) || words(one.node) !== '') || isPart(one)) continue;
    if (isRestless) count('changes by itself');
    else if (isEmptyCell(one)) count('empty cell of a sheet');
    else if (isPictureInCell(one, all)) count('picture or gap in a cell whose text is listed');
    else if (isSaidByParts(one.node)) count('text of its parts, which are judged');
    else if (isGtk4Popover(one) && words(one.node) === '') count('nameless in a GTK 4 popover');
    else if (isTold(one.node, all)) count('in a part that the snapshot leaves out and names');
    else {
      seen += 1;
      if (!isListed(one, all)) lost.push(title(one));
    }
  }
  const ghosts = new Ghosts(judged, count);
  for (const root of listing.roots) ghosts.judge(root);
  const holes = judged
    .filter(({ one, sight }) => sight === 'seen' && isHole(one, frame) && !isTold(one.node, all))
    .map(({ one }) => title(one));
  return { seen, lost, listed: ghosts.listed, ghosts: ghosts.found, holes, unjudged };
}

interface Judged {
  readonly one: Placed;
  readonly sight: Sight;
  readonly isRestless: boolean;
}

class Ghosts {
  listed = 0;
  readonly found: string[] = [];
  private readonly judged: readonly Judged[];
  private readonly count: (why: string) => void;

  constructor(judged: readonly Judged[], count: (why: string) => void) {
    this.judged = judged;
    this.count = count;
  }

  /** Judges an element and everything in it. What holds something that is seen, is seen with it. */
  judge(node: Listed): 'seen' | 'unseen' | 'unknown' {
    const inside = node.children.map((child) => this.judge(child));
    if (node.isRoot) return 'seen';
    if (node.isHidden) return 'unseen';
    const verdict = inside.includes('seen') ? 'seen' : this.verdictOf(node);
    const isUnknown = verdict.startsWith('? ');
    if (isUnknown || (verdict !== 'seen' && inside.includes('unknown'))) {
      this.count(isUnknown ? verdict.slice(2) : 'holds what could not be judged');
      return 'unknown';
    }
    this.listed += 1;
    if (verdict === 'seen') return 'seen';
    this.found.push(`${node.role} ${quote(node.words)} ${boxText(node.box)}: ${verdict}`);
    return 'unseen';
  }

  private verdictOf(node: Listed): Sight | `? ${string}` {
    const own = this.judged.filter(({ one }) => isSource(one.node, node));
    if (own.length === 0)
      return node.box?.[2] === 0 || node.box?.[3] === 0 ? 'no place' : '? not found by libatspi';
    if (own.some(({ sight }) => sight === 'seen')) return 'seen';
    if (own.some(({ isRestless }) => isRestless)) return '? changes by itself';
    for (const why of ['behind a window', 'thin'] as const)
      if (own.some(({ sight }) => sight === why)) return `? ${why}`;
    const isFlat = own.some(({ sight }) => sight === 'flat');
    if (isFlat && !(DRAWN.has(node.role) && node.name.trim() !== '')) return '? empty, or not drawn';
    return isFlat ? 'flat' : (own[0]?.sight ?? 'no place');
  }
}

/** Whether an element of the snapshot can have been read from this node. */
function isSource(node: SeenNode, { box, words: ours }: Listed): boolean {
  const [theirs, own] = [words(node), clean(ours)];
  const isNamed = own === '' || theirs === '' || says(own, node) || theirs.includes(own);
  if (box === undefined || box[2] === 0 || box[3] === 0)
    return node.box === null && own !== '' && theirs === own;
  return isNamed && node.box !== null && share(node.box, box) >= EXACT_PLACE;
}

function isListed({ node, above, application }: Placed, all: readonly Listed[]): boolean {
  const isInPopover = isGtk4Popover({ node, above, application });
  const own = words(node);
  return all.some((listed) => {
    const isSaid = own !== '' && says(clean(listed.words), node);
    if (isInPopover && isSaid) return true;
    if (node.box === null || listed.box === undefined || listed.isRoot) return isSaid;
    if (isUsable(node))
      return share(node.box, listed.box) >= SAME_PLACE && (isSaid || own === '' || listed.isUsable);
    // A label may have become the name of what is beside it, and texts on one line are joined.
    const [, height] = common(node.box, [node.box[0], listed.box[1], node.box[2], listed.box[3]]).slice(2);
    return isSaid && (clean(listed.name) === own || (height ?? 0) > 0);
  });
}

/** Of a GTK 4 popover libatspi tells the place in the pop-up, not on the screen. */
function isGtk4Popover({ node, above, application }: Placed): boolean {
  return application.toolkit === GTK4 && [...above, node].some(({ role }) => POPOVERS.has(role));
}

/** Cells of a sheet are named by their address. */
function isEmptyCell({ node: { name, text = '' }, above }: Placed): boolean {
  return (
    above.some(({ role }) => role === 'document spreadsheet') && /^[A-Z]{1,3}\d+$/.test(name) && text === ''
  );
}

/** GTK 3 lists what a cell draws as cells of their own: beside the text a picture, the arrow that expands the row, and gaps. */
function isPictureInCell({ node, above }: Placed, all: readonly Listed[]): boolean {
  const cell = above.at(-1);
  if (node.role !== 'table cell' || cell?.role !== 'table cell' || words(node) !== '') return false;
  return cell.children.some((beside) => words(beside) !== '' && all.some((ours) => isSource(beside, ours)));
}

/** Chromium tells the text of a paragraph twice: as its own, and as its parts beside the links in it. */
function isSaidByParts(node: SeenNode): boolean {
  const parts = node.children.filter(({ role }) => role === 'static');
  if (node.name !== '' || parts.length === 0 || words(node) === '') return false;
  return says(clean(parts.map((part) => part.text ?? part.name).join('')), node);
}

/** A text that nobody can edit is read, not used. */
function isUsable({ role, states }: SeenNode): boolean {
  return USABLE.has(role) && (role !== 'text' || states.includes('editable'));
}

function isTold({ box }: SeenNode, all: readonly Listed[]): boolean {
  return (
    box !== null &&
    all.some(
      (listed) => listed.isElided && listed.box !== undefined && share(common(box, listed.box), box) > 0.9,
    )
  );
}

/** A large part of a window about which libatspi says nothing, nor about anything in it or around it but names. */
function isHole({ node, above, application }: Placed, frame: Frame): boolean {
  const { box, role, name, value } = node;
  // GTK 4 gives hidden pages of a stack their place, too.
  if (application.toolkit === GTK4) return false;
  if (box === null || box[2] < LARGE || box[3] < LARGE) return false;
  // The frame around an empty list is no content.
  const inside: Box = [box[0] + FRAME, box[1] + FRAME, box[2] - 2 * FRAME, box[3] - 2 * FRAME];
  if (role === 'image' || isFlat(frame, inside)) return false;
  const isDescribed = name !== '' || value !== undefined || USABLE.has(role);
  return !isDescribed && isEmpty(node) && above.every(({ text = '' }) => text === '');
}

function isEmpty({ text = '', children }: SeenNode): boolean {
  return (
    text === '' &&
    children.every((child) => child.role === 'scroll bar' || (child.box === null && isEmpty(child)))
  );
}

function isPart({ above }: Placed): boolean {
  return above.slice(-2).some(({ role }) => COMPOSITES.has(role));
}

function identity(one: Placed): string {
  return `${keyText(keyOf(one))} ${boxText(one.node.box)}`;
}

function title({ node, above }: Placed): string {
  const around = above.slice(-3).map(({ role }) => role);
  return `${[...around, node.role].join(' > ')} ${quote(node.name === '' ? (node.text ?? '') : node.name)} ${boxText(node.box)}`;
}

function quote(text: string): string {
  return JSON.stringify(text.trim().slice(0, 60));
}

function boxText(box: Box | null | undefined): string {
  return box ? `${box[2]}×${box[3]}+${box[0]}+${box[1]}` : 'nowhere';
}

function words({ name, text = '' }: SeenNode): string {
  return clean(name === '' || TYPE_NAME.test(name) ? text : name).slice(0, COMPARED);
}

/** Whether words say what a node says, which may hold others: libatspi has a mark in its place, a snapshot what that says. */
function says(ours: string, { name, text = '' }: SeenNode): boolean {
  const whole = name === '' || TYPE_NAME.test(name) ? text : name;
  let [at, left] = [0, COMPARED];
  for (const piece of whole.split('\uFFFC').map(clean)) {
    const found = ours.indexOf(piece.slice(0, left), at);
    if (found === -1) return false;
    [at, left] = [found + piece.length, Math.max(0, left - piece.length)];
  }
  return true;
}

/** Without blanks, marks of access keys and of objects inside a text, and what shortens it. */
function clean(text: string): string {
  return text
    .replaceAll(/[_&\s…\uFFFC\u200B]/gu, '')
    .replace(/:$/, '')
    .toLowerCase();
}

function share(a: Box, b: Box): number {
  const [, , width, height] = common(a, b);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (a[2] * a[3] + b[2] * b[3] - width * height);
}
