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
/** The browser's own widgets change without a word. */
const isInPage: Rule = (object) => object.isInPage;
const isOutsideViews: Rule = ({ isInView }) => !isInView;
const both =
  (...rules: readonly Rule[]): Rule =>
  (object) =>
    rules.every((rule) => rule(object));

/** The children of one toolkit's objects: lists and tables move rows without a word, and so do containers that are not on screen. */
const SHOWN_CHILDREN = both(isShowing, isNone(VIEWS));

/**
 * What toolkits do not report, found by the randomised test of the mirror; each reading asks for it again. What is not listed is reported.
 */
const UNREPORTED: Readonly<Record<ToolkitKind, Partial<Record<Question, Rule>>>> = {
  gtk3: { children: SHOWN_CHILDREN, childCount: SHOWN_CHILDREN, state: isOutsideViews },
  // It reports nothing of pages that are not shown; its bulk cache has most answers anyway.
  gtk4: {
    children: never,
    childCount: never,
    state: never,
    name: never,
    value: never,
    text: never,
    characterCount: never,
  },
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
  gecko: {},
  // Scrolling shows and hides elements of a page.
  chromium: { children: isInPage, childCount: isInPage, name: isInPage, state: never },
  libreoffice: {
    children: SHOWN_CHILDREN,
    childCount: SHOWN_CHILDREN,
    name: isOutsideViews,
    text: isOutsideViews,
  },
  java: {
    children: never,
    childCount: never,
    state: never,
    name: never,
    value: never,
    text: never,
    characterCount: never,
  },
  own: {},
  other: {
    children: never,
    childCount: never,
    state: never,
    name: never,
    value: never,
    text: never,
    characterCount: never,
  },
};

/** Whether an answer holds until an event of its toolkit says otherwise. */
export function isReported(kind: ToolkitKind, object: KnownObject, question: Question): boolean {
  return UNREPORTED[kind][question]?.(object) ?? true;
}

/** Whether events name both places when an object moves: GTK 3 hides and shows what it moves, and says nothing else of most containers. */
export function tellsMoves(kind: ToolkitKind): boolean {
  return kind !== 'gtk3' && kind !== 'libreoffice';
}

export function isView(role: number): boolean {
  return VIEWS.has(role);
}
