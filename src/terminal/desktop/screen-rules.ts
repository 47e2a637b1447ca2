import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { ScreenChange, ScreenJudgement, ScreenObservation, Sent } from '../../ports/screen.ts';
import type { Change } from '../../model/effects/effect.ts';

/** The parts of a screen that show the effect of keys. */
interface Screen {
  readonly root: TreeNode;
  readonly isAlternate: boolean;
  readonly rows: readonly Row[];
  /** The row of the cursor. */
  readonly at: Row | undefined;
}

interface Row {
  readonly key: string;
  readonly text: string;
  readonly caret: number | undefined;
  readonly isSelected: boolean;
  /** In the scrollback. */
  readonly isAbove: boolean;
}

/**
 * Judges the effect of input to a terminal. Programs may write at any time, so a new or changed row proves nothing. Evidence is: the typed text at
 * the cursor position; a moved cursor over unchanged text; a new selection; and a full-screen program that starts or ends.
 */
export function judgeSent<C extends ScreenChange>(
  seen: ScreenObservation<C>,
  sent: Sent | undefined,
): ScreenJudgement<C> {
  if (seen.trees === undefined)
    return unverified(['the terminal accepted the input', 'the screen could not be read again']);
  const before = screenOf(seen.trees.before);
  const after = screenOf(seen.trees.after);
  const echo = echoOf(sent);
  return (
    judgeEcho(before, after, echo) ??
    judgeMode(before, after) ??
    judgeSelection(before, after) ??
    // If typed text should have been echoed and was not, a moved cursor comes from other output.
    (after.isAlternate || !isText(sent) ? judgeCaret(seen, before, after) : undefined) ??
    unverified(['the terminal accepted the input', missingEvidence(before, after)])
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

/** The echo that the input would cause; line feeds end lines. */
function echoOf(sent: Sent | undefined): string | undefined {
  if (sent === undefined) return undefined;
  if ('text' in sent) return sent.text.replaceAll('\r', '\n');
  const [first, second, ...more] = sent.keys;
  if (more.length > 0) return undefined;
  if (second === undefined) {
    if (first.kind === 'character') return first.text;
    return first.name === 'Enter' ? '\n' : undefined;
  }
  // Terminals echo control characters as ^C unless a program handles them.
  const isControl = first.kind === 'named' && first.name === 'Control';
  return isControl && second.kind === 'character' ? `^${second.text.toUpperCase()}` : undefined;
}

function isText(sent: Sent | undefined): boolean {
  if (sent === undefined) return false;
  return 'text' in sent || (sent.keys.length === 1 && sent.keys[0].kind === 'character');
}

/** Looks for the echo at the old cursor position, between the text before and after it. */
function judgeEcho(before: Screen, after: Screen, echo: string | undefined): Verdict | undefined {
  if (echo === undefined || before.at?.caret === undefined) return undefined;
  const { key, text, caret } = before.at;
  const [line = '', ...rest] = echo.split('\n');
  const now = after.rows.find((row) => row.key === key);
  if (now === undefined) return undefined;
  const head = text.slice(0, caret).padEnd(caret) + line;
  const isThere = now.text.padEnd(head.length).startsWith(head);
  if (!isThere) return undefined;
  const hasCursorLeft = now.caret === undefined;
  if (rest.length === 0) {
    if (line === '' || (!hasCursorLeft && now.caret !== head.length)) return undefined;
    const isWhole = now.text === (head + text.slice(caret)).trimEnd();
    // After the cursor has left the line, other output may follow the echo.
    return hasCursorLeft && !isWhole
      ? undefined
      : confirmed([
          `fresh read: ${quote(line)} appeared at the cursor`,
          hasCursorLeft ? 'the cursor left that line' : `the cursor is after ${quote(line)}`,
        ]);
  }
  if (!hasCursorLeft || before.isAlternate !== after.isAlternate) return undefined;
  if (now.text !== (head + text.slice(caret)).trimEnd()) return undefined;
  const what = line === '' ? 'the line is unchanged' : `fresh read: ${quote(line)} appeared at the cursor`;
  return confirmed([what, 'the cursor left that line']);
}

function judgeMode(before: Screen, after: Screen): Verdict | undefined {
  if (before.isAlternate === after.isAlternate) return undefined;
  const what = after.isAlternate ? 'a full-screen program started' : 'the full-screen program ended';
  return confirmed([`fresh read: ${what}`, 'the terminal switched its screen']);
}

/** A new selection in an existing row; a new row may simply be written in inverse video. */
function judgeSelection(before: Screen, after: Screen): Verdict | undefined {
  if (before.isAlternate !== after.isAlternate) return undefined;
  const was = selected(before);
  const isNew = ({ key }: Row): boolean => was.every((row) => row.key !== key);
  const existing = new Set(before.rows.map(({ key }) => key));
  const now = selected(after).find((row) => isNew(row) && (after.isAlternate || existing.has(row.key)));
  if (now === undefined) return undefined;
  const [former] = was;
  const from = former === undefined ? '' : ` instead of ${quote(former.text.trim())}`;
  return confirmed([`fresh read: ${quote(now.text.trim())} is selected${from}`]);
}

function selected({ rows }: Screen): Row[] {
  return rows.filter(({ isSelected, text }) => isSelected && text !== '');
}

/**
 * Judges by the cursor. On the normal screen any output moves it to other lines, and progress bars write on its line; they continue, which another
 * read shows. A full-screen program that writes on its own changes rows anywhere.
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
  // Changes of these rows must have been reported after the input.
  if (![...around].some((key) => seen.reported.has(key))) return undefined;
  if (after.isAlternate && rewritten(before, after, around) > MAX_OTHER_ROWS) return undefined;
  const judgement = confirmed([
    `fresh read: the cursor is after ${quote(is.text.slice(0, is.caret).trimStart())}`,
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

/** For comparing texts that contain counters. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}

/** Rows that show the cursor position, such as a ruler and a mode line. */
const MAX_OTHER_ROWS = 2;

function rewritten(before: Screen, after: Screen, except: ReadonlySet<string>): number {
  const was = new Map(before.rows.map(({ key, text }) => [key, text]));
  return after.rows.filter(({ key, text }) => !except.has(key) && was.get(key) !== text).length;
}

function textsOf({ rows }: Screen): string[] {
  return rows.filter(({ isAbove }) => !isAbove).map(({ text }) => text);
}

function missingEvidence(before: Screen, after: Screen): string {
  const [was, is] = [textsOf(before).join('\n'), textsOf(after).join('\n')];
  return was === is ? 'nothing changed on the screen' : 'the program may have changed the screen on its own';
}

const LONGEST_ROW = 400;
/** About the rows of a screen; the last changes matter most. */
const MAX_CHANGES = 40;

/**
 * Changes of a screen for a receipt: rows with their current text. Rows that scrolled away and the old text of rewritten rows are left out, because
 * they would amount to nearly the whole screen.
 */
export function reportedChanges<C extends ScreenChange>(
  all: readonly C[],
): { readonly changes: readonly C[]; readonly leftOut: number } {
  const worthTelling = changedRows(all);
  const changes = worthTelling.slice(-MAX_CHANGES);
  return { changes, leftOut: worthTelling.length - changes.length };
}

function changedRows<C extends ScreenChange>(changes: readonly C[]): C[] {
  const reported = new Set<string>();
  return changes.flatMap((observed) => {
    const { change, node, key } = observed;
    if (change.kind === 'disappeared') return [];
    const isRow = node.role === 'row' || node.role === 'listitem' || node.role === 'status';
    const isText = change.kind === 'appeared' || change.before?.startsWith('name ') === true;
    if (isRow && isText) {
      reported.add(key);
      return [{ ...observed, change: rowChange(change.kind, observed) }];
    }
    // Only selection changes are reported; the rows themselves show the cursor and rows that left the screen.
    const isChoice = [change.before, change.after].some((states) => states?.includes('selected') === true);
    if (isChoice) return [observed];
    return change.kind === 'focus' && !reported.has(key)
      ? [{ ...observed, change: rowChange('focus', observed) }]
      : [];
  });
}

function rowChange(kind: Change['kind'], { node }: ScreenChange): Change {
  return { kind, role: node.role, ...(node.name === '' ? {} : { name: clip(node.name, LONGEST_ROW) }) };
}
