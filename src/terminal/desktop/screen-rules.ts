import { handleKey } from '../../model/tree/node.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { ScreenChange, ScreenJudgement, ScreenObservation, Sent } from '../../ports/screen.ts';
import type { Change } from '../../model/effects/effect.ts';

/** A screen as far as it tells what came of keys. */
interface Screen {
  readonly root: TreeNode;
  readonly isAlternate: boolean;
  readonly rows: readonly Row[];
  /** The row that the cursor stands on. */
  readonly at: Row | undefined;
}

interface Row {
  readonly key: string;
  readonly text: string;
  readonly caret: number | undefined;
  readonly isSelected: boolean;
  /** Above the screen. */
  readonly isAbove: boolean;
}

/**
 * The effect of what was sent to a terminal. Whatever runs there may write at any time, so that a row that comes or changes proves nothing. What does:
 * the text itself where the cursor stood; the cursor, where what it moved over stayed as it was; what is selected; and that a full-screen program came
 * or went.
 */
export function judgeSent<C extends ScreenChange>(
  seen: ScreenObservation<C>,
  sent: Sent | undefined,
): ScreenJudgement<C> {
  if (seen.trees === undefined)
    return unverified(['the terminal took it', 'the screen could not be read again']);
  const before = screenOf(seen.trees.before);
  const after = screenOf(seen.trees.after);
  const echo = echoOf(sent);
  return (
    judgeEcho(before, after, echo) ??
    judgeMode(before, after) ??
    judgeSelection(before, after) ??
    // Where text would be shown as it is and was not, other text is somebody else's.
    (after.isAlternate || !isText(sent) ? judgeCaret(seen, before, after) : undefined) ??
    unverified(['the terminal took it', lackOf(before, after)])
  );
}

function screenOf(root: TreeNode): Screen {
  const rows: Row[] = [];
  const visit = (node: TreeNode): void => {
    if (ROWS.has(node.role))
      rows.push({
        key: handleKey(node.handle),
        text: node.name,
        caret: node.caret,
        isSelected: node.states.includes('selected'),
        isAbove: node.states.includes('offscreen'),
      });
    node.children.forEach(visit);
  };
  visit(root);
  return {
    root,
    isAlternate: root.nativeRole === 'alternate screen',
    rows,
    at: rows.find(({ caret }) => caret !== undefined),
  };
}

const ROWS: ReadonlySet<string> = new Set(['row', 'listitem', 'option', 'status']);

/** What a program that shows what is typed shows of it; the line feeds end lines. */
function echoOf(sent: Sent | undefined): string | undefined {
  if (sent === undefined) return undefined;
  if ('text' in sent) return sent.text.replaceAll('\r', '\n');
  const [first, second, ...more] = sent.keys;
  if (more.length > 0) return undefined;
  if (second === undefined) {
    if (first.kind === 'character') return first.text;
    return first.name === 'Enter' ? '\n' : undefined;
  }
  // Terminals show control characters that way where nobody else takes them.
  const isControl = first.kind === 'named' && first.name === 'Control';
  return isControl && second.kind === 'character' ? `^${second.text.toUpperCase()}` : undefined;
}

function isText(sent: Sent | undefined): boolean {
  if (sent === undefined) return false;
  return 'text' in sent || (sent.keys.length === 1 && sent.keys[0].kind === 'character');
}

/** The text where the cursor stood: behind what was before it, and before what was behind it. */
function judgeEcho(before: Screen, after: Screen, echo: string | undefined): Verdict | undefined {
  if (echo === undefined || before.at?.caret === undefined) return undefined;
  const { key, text, caret } = before.at;
  const [line = '', ...rest] = echo.split('\n');
  const now = after.rows.find((row) => row.key === key);
  if (now === undefined) return undefined;
  const head = text.slice(0, caret).padEnd(caret) + line;
  const isThere = now.text.padEnd(head.length).startsWith(head);
  if (!isThere) return undefined;
  const isPassed = now.caret === undefined;
  if (rest.length === 0) {
    if (line === '' || (!isPassed && now.caret !== head.length)) return undefined;
    const isWhole = now.text === (head + text.slice(caret)).trimEnd();
    // Where the cursor has left the line, more may have come of it than its text.
    return isPassed && !isWhole
      ? undefined
      : confirmed([`fresh read: ${quote(line)} stands where the cursor was`, caretAt(now, line)]);
  }
  if (!isPassed || before.isAlternate !== after.isAlternate) return undefined;
  if (now.text !== (head + text.slice(caret)).trimEnd()) return undefined;
  const what =
    line === '' ? 'the line is as it was' : `fresh read: ${quote(line)} stands where the cursor was`;
  return confirmed([what, 'the cursor has left that line']);
}

function caretAt({ caret }: Row, line: string): string {
  return caret === undefined ? `the cursor has left that line` : `the cursor is behind ${quote(line)}`;
}

function judgeMode(before: Screen, after: Screen): Verdict | undefined {
  if (before.isAlternate === after.isAlternate) return undefined;
  const what = after.isAlternate ? 'a full-screen program came up' : 'the full-screen program is gone';
  return confirmed([`fresh read: ${what}`, 'the terminal switched its screen']);
}

/** Nothing selects by itself; but what is written anew may be written in inverse. */
function judgeSelection(before: Screen, after: Screen): Verdict | undefined {
  if (before.isAlternate !== after.isAlternate) return undefined;
  const was = selected(before);
  const isNew = ({ key }: Row): boolean => was.every((row) => row.key !== key);
  const stood = new Set(before.rows.map(({ key }) => key));
  const now = selected(after).find((row) => isNew(row) && (after.isAlternate || stood.has(row.key)));
  if (now === undefined) return undefined;
  const [former] = was;
  const from = former === undefined ? '' : `, where ${quote(former.text.trim())} was`;
  return confirmed([`fresh read: ${quote(now.text.trim())} is selected${from}`]);
}

function selected({ rows }: Screen): Row[] {
  return rows.filter(({ isSelected, text }) => isSelected && text !== '');
}

/**
 * Where the cursor is. On the normal screen whatever is written moves it to other lines, and progress bars write on its own line: they go on, and
 * another look tells. A full-screen program that writes by itself changes rows wherever they are.
 */
function judgeCaret<C extends ScreenChange>(
  seen: ScreenObservation<C>,
  before: Screen,
  after: Screen,
): ScreenJudgement<C> | undefined {
  const [was, is] = [before.at, after.at];
  if (was === undefined || is?.caret === undefined) return undefined;
  const isSameLine = was.key === is.key;
  if (isSameLine ? was.caret === is.caret && was.text === is.text : !after.isAlternate) return undefined;
  const isCounting = was.text !== is.text && withoutNumbers(was.text) === withoutNumbers(is.text);
  if (isSameLine && isCounting) return undefined;
  const around = new Set([was.key, is.key]);
  // A program that writes all the time has told of its row at other times, too.
  if (![...around].some((key) => seen.reported.has(key))) return undefined;
  if (after.isAlternate && rewritten(before, after, around) > MOST_BESIDE) return undefined;
  const judgement = confirmed([
    `fresh read: the cursor is behind ${quote(is.text.slice(0, is.caret).trimStart())}`,
  ]);
  const line = seen.changes.find(({ key, change }) => key === is.key && change.kind === 'changed');
  return line === undefined ? judgement : { ...judgement, reliesOn: line };
}

type Verdict = Omit<ScreenJudgement, 'reliesOn'>;

function confirmed(evidence: readonly string[]): Verdict {
  return { effect: 'confirmed', evidence };
}

function unverified(evidence: readonly string[]): Verdict {
  return { effect: 'unverified', evidence };
}

function quote(text: string): string {
  return JSON.stringify(clip(text, 80));
}

/** For comparing texts that count something. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}

/** Rows that tell of where the cursor is, such as a ruler and a mode. */
const MOST_BESIDE = 2;

function rewritten(before: Screen, after: Screen, except: ReadonlySet<string>): number {
  const was = new Map(before.rows.map(({ key, text }) => [key, text]));
  return after.rows.filter(({ key, text }) => !except.has(key) && was.get(key) !== text).length;
}

function textsOf({ rows }: Screen): string[] {
  return rows.filter(({ isAbove }) => !isAbove).map(({ text }) => text);
}

function lackOf(before: Screen, after: Screen): string {
  const [was, is] = [textsOf(before).join('\n'), textsOf(after).join('\n')];
  return was === is
    ? 'nothing changed on the screen'
    : 'what changed on the screen the program may have written by itself';
}

const LONGEST_ROW = 400;
/** As many rows as a screen has; what was written last is what matters. */
const MOST_CHANGES = 40;

/**
 * Changes of a screen as a receipt reports them: rows by what they say now. Rows that scrolled away are left out, and so is what a rewritten row
 * said before, as that would be nearly the whole screen.
 */
export function reportedChanges<C extends ScreenChange>(
  all: readonly C[],
): { readonly changes: readonly C[]; readonly leftOut: number } {
  const worthTelling = changedRows(all);
  const changes = worthTelling.slice(-MOST_CHANGES);
  return { changes, leftOut: worthTelling.length - changes.length };
}

function changedRows<C extends ScreenChange>(changes: readonly C[]): C[] {
  const said = new Set<string>();
  return changes.flatMap((observed) => {
    const { change, node, key } = observed;
    if (change.kind === 'disappeared') return [];
    const isRow = node.role === 'row' || node.role === 'listitem' || node.role === 'status';
    const isText = change.kind === 'appeared' || change.before?.startsWith('name ') === true;
    if (isRow && isText) {
      said.add(key);
      return [{ ...observed, change: rowSays(change.kind, observed) }];
    }
    // What is chosen is told; that rows left the screen, and where the cursor is, the rows themselves tell.
    const isChoice = [change.before, change.after].some((states) => states?.includes('selected') === true);
    if (isChoice) return [observed];
    return change.kind === 'focus' && !said.has(key)
      ? [{ ...observed, change: rowSays('focus', observed) }]
      : [];
  });
}

function rowSays(kind: Change['kind'], { node }: ScreenChange): Change {
  return { kind, role: node.role, ...(node.name === '' ? {} : { name: clip(node.name, LONGEST_ROW) }) };
}
