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
const WINDOWS = roles('FRAME', 'DIALOG', 'WINDOW', 'ALERT');
const CHECKABLE = roles('CHECK_BOX', 'RADIO_BUTTON', 'TOGGLE_BUTTON', 'MENU_ITEM', 'CHECK_MENU_ITEM', 'RADIO_MENU_ITEM');

const never: Rule = () => false;
const isShowing: Rule = ({ answers: { state } }) => state !== undefined && hasState(state, STATE.SHOWING);
const isNone =
  (of: ReadonlySet<number>): Rule =>
  ({ answers: { role } }) =>
    role !== undefined && !of.has(role);
const isOutsideViews: Rule = ({ parent }) => !VIEWS.has(parent?.answers.role ?? 0);
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
  gtk3: { children: SHOWN_CHILDREN, childCount: SHOWN_CHILDREN },
  // It reports nothing of pages that are not shown; its bulk cache has most answers anyway.
  gtk4: { children: isNone(VIEWS), childCount: never, state: never, name: never, value: never, text: never, characterCount: never },
  qt: {
    children: never,
    childCount: never,
    state: both(isNone(CHECKABLE), isOutsideViews),
    name: both(isNone(WINDOWS), isOutsideViews),
    description: isOutsideViews,
    value: isOutsideViews,
    text: isOutsideViews,
    characterCount: isOutsideViews,
    role: isOutsideViews,
    interfaces: isOutsideViews,
  },
  gecko: {},
  chromium: {},
  libreoffice: { children: SHOWN_CHILDREN, childCount: SHOWN_CHILDREN, name: isOutsideViews, text: isOutsideViews },
  java: { children: never, childCount: never, state: never, name: never, value: never, text: never, characterCount: never },
  own: {},
  other: { children: never, childCount: never, state: never, name: never, value: never, text: never, characterCount: never },
};

/** Whether an answer holds until an event of its toolkit says otherwise. */
export function isReported(kind: ToolkitKind, object: KnownObject, question: Question): boolean {
  return UNREPORTED[kind][question]?.(object) ?? true;
}
