import { NATIVE } from '../tree/roles.ts';
import { hasState, STATE } from '../tree/states.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';
import type { Answers, KnownObject } from './known-object.ts';

type Question = keyof Answers;
/** Whether the toolkit of an object tells when its answer changes. */
type Rule = (object: KnownObject) => boolean;

const roles = (...names: readonly (keyof typeof NATIVE)[]): ReadonlySet<number> =>
  new Set(names.map((name) => NATIVE[name]));

const VIEWS = roles('LIST', 'LIST_BOX', 'TABLE', 'TREE', 'TREE_TABLE');
/** Windows and tabs, and what takes its name from what is chosen in it. */
const NAMED_BY_CHOICE = roles('FRAME', 'DIALOG', 'WINDOW', 'ALERT', 'PAGE_TAB', 'PAGE_TAB_LIST', 'COMBO_BOX');

const never: Rule = () => false;
const isShowing: Rule = ({ answers: { state } }) => state !== undefined && hasState(state, STATE.SHOWING);
const isNone =
  (of: ReadonlySet<number>): Rule =>
  ({ answers: { role } }) =>
    role !== undefined && !of.has(role);
/** Changes of the browser's own widgets are not reported. */
const isInPage: Rule = (object) => object.isInPage;
const isOutsideViews: Rule = ({ isInView }) => !isInView;
const both =
  (...rules: readonly Rule[]): Rule =>
  (object) =>
    rules.every((rule) => rule(object));

/** The children of one toolkit's objects: neither moved rows of lists and tables nor changes in containers that are not on screen are reported. */
const SHOWN_CHILDREN = both(isShowing, isNone(VIEWS));

/** Neither contents nor states are reported: what an object is, is all that can be kept. */
const ONLY_KINDS: Partial<Record<Question, Rule>> = {
  children: never,
  childCount: never,
  state: never,
  name: never,
  value: never,
  text: never,
  characterCount: never,
};

/**
 * What toolkits do not report, found by the randomised test of the mirror; each reading asks for it again. What is not listed is reported.
 */
const UNREPORTED: Readonly<Record<ToolkitKind, Partial<Record<Question, Rule>>>> = {
  gtk3: { children: SHOWN_CHILDREN, childCount: SHOWN_CHILDREN, state: isOutsideViews },
  // It reports no changes of pages that are not on screen, and its bulk cache has most answers anyway.
  gtk4: ONLY_KINDS,
  qt: {
    children: never,
    childCount: never,
    state: never,
    name: both(isNone(NAMED_BY_CHOICE), isOutsideViews),
    description: isOutsideViews,
    value: isOutsideViews,
    text: isOutsideViews,
    characterCount: isOutsideViews,
    role: isOutsideViews,
    interfaces: isOutsideViews,
  },
  // Scrolling shows and hides what is in a page or a list, without a word.
  gecko: { state: never },
  // Scrolling shows and hides elements of a page.
  chromium: { children: isInPage, childCount: isInPage, name: isInPage, state: never },
  libreoffice: {
    children: SHOWN_CHILDREN,
    childCount: SHOWN_CHILDREN,
    name: isOutsideViews,
    text: isOutsideViews,
  },
  java: ONLY_KINDS,
  own: {},
  other: ONLY_KINDS,
};

/** Places on the screen. */
const NOWHERE_REPORTED: ReadonlySet<Question> = new Set(['screenExtents', 'windowExtents']);

export function isPlace(question: Question): boolean {
  return NOWHERE_REPORTED.has(question);
}

/** Whether an answer holds until an event of its toolkit says otherwise. */
export function isReported(kind: ToolkitKind, object: KnownObject, question: Question): boolean {
  if (isPlace(question)) return false;
  return UNREPORTED[kind][question]?.(object) ?? true;
}

/** Whether events name both places when an object moves: GTK 3 hides and shows what it moves, and says nothing else of most containers. */
export function tellsMoves(kind: ToolkitKind): boolean {
  return kind !== 'gtk3' && kind !== 'libreoffice';
}

export function isView(role: number): boolean {
  return VIEWS.has(role);
}
