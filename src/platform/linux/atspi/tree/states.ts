import { isInteractive, roleSet, type Role } from '../../../../model/tree/role.ts';
import type { State } from '../../../../model/tree/state.ts';

/** The 64 state bits of an AT-SPI object in wire format: two 32-bit words, low first. */
export type StateBits = readonly [low: number, high: number];

/** Bit numbers (AtspiStateType, at-spi2-core 2.46). */
export const STATE = {
  ACTIVE: 1,
  BUSY: 3,
  CHECKED: 4,
  COLLAPSED: 5,
  DEFUNCT: 6,
  EDITABLE: 7,
  ENABLED: 8,
  EXPANDABLE: 9,
  EXPANDED: 10,
  FOCUSABLE: 11,
  FOCUSED: 12,
  ICONIFIED: 15,
  MODAL: 16,
  MULTI_LINE: 17,
  MULTISELECTABLE: 18,
  PRESSED: 20,
  SELECTABLE: 22,
  SELECTED: 23,
  SENSITIVE: 24,
  SHOWING: 25,
  TRANSIENT: 28,
  VISIBLE: 30,
  MANAGES_DESCENDANTS: 31,
  INDETERMINATE: 32,
  REQUIRED: 33,
  INVALID_ENTRY: 36,
  IS_DEFAULT: 39,
  VISITED: 40,
  READ_ONLY: 43,
} as const;

export function hasState(bits: StateBits, state: number): boolean {
  return state < 32 ? ((bits[0] >>> state) & 1) === 1 : ((bits[1] >>> (state - 32)) & 1) === 1;
}

/** Bits that map to one of our states regardless of role. */
const DIRECT: readonly (readonly [bit: number, state: State])[] = [
  [STATE.ACTIVE, 'active'],
  [STATE.BUSY, 'busy'],
  [STATE.DEFUNCT, 'defunct'],
  [STATE.EDITABLE, 'editable'],
  [STATE.FOCUSABLE, 'focusable'],
  [STATE.FOCUSED, 'focused'],
  [STATE.ICONIFIED, 'minimized'],
  [STATE.INDETERMINATE, 'indeterminate'],
  [STATE.INVALID_ENTRY, 'invalid'],
  [STATE.MODAL, 'modal'],
  [STATE.MULTI_LINE, 'multiline'],
  [STATE.MULTISELECTABLE, 'multiselectable'],
  [STATE.READ_ONLY, 'readonly'],
  [STATE.REQUIRED, 'required'],
  [STATE.SELECTABLE, 'selectable'],
  [STATE.SELECTED, 'selected'],
  [STATE.VISITED, 'visited'],
];

export const HEADERS = roleSet('columnheader', 'rowheader');

export interface StateContext {
  readonly role: Role;
  /** Whether the toolkit sets SHOWING and VISIBLE correctly; GTK 4 sets them only on windows. */
  readonly showingIsTruthful: boolean;
  readonly isPassword: boolean;
  /** Has no pixels: zero-sized or nowhere. */
  readonly isBoxless: boolean;
  /** Is known to have pixels. */
  readonly hasPlace: boolean;
}

/** Extents are unknown if the element could not tell them. */
export function placeOfExtents(
  extents: { readonly width: number; readonly height: number } | undefined,
): Pick<StateContext, 'isBoxless' | 'hasPlace'> {
  const hasPlace = extents !== undefined && extents.width > 0 && extents.height > 0;
  return { hasPlace, isBoxless: extents !== undefined && !hasPlace };
}

/** Our states for native bits. */
export function mapStates(bits: StateBits, context: StateContext): State[] {
  const states: State[] = [];
  for (const [bit, state] of DIRECT) if (hasState(bits, bit)) states.push(state);
  const isToggle = context.role === 'togglebutton';
  const isChecked = hasState(bits, STATE.CHECKED);
  if (isChecked && !isToggle) states.push('checked');
  if (hasState(bits, STATE.PRESSED) || (isChecked && isToggle)) states.push('pressed');
  if (hasState(bits, STATE.EXPANDED)) states.push('expanded');
  else if (hasState(bits, STATE.EXPANDABLE) || hasState(bits, STATE.COLLAPSED)) states.push('collapsed');
  // GTK 4 sets only SENSITIVE, not ENABLED; elsewhere the two agree. Text and groups often have neither.
  const mayBeDisabled = isInteractive(context.role) || context.role === 'menu';
  if (mayBeDisabled && !hasState(bits, STATE.SENSITIVE) && !hasState(bits, STATE.ENABLED))
    states.push('disabled');
  if (context.isPassword) states.push('protected');
  if (context.showingIsTruthful) {
    const isShowing = hasState(bits, STATE.SHOWING);
    // Firefox denies that its buttons which consist of a picture are visible, although they show and have a place.
    const isVisible = hasState(bits, STATE.VISIBLE) || (isShowing && context.hasPlace);
    // Qt reports the headers of hidden columns and rows as showing, with no size.
    const isHiddenHeader = context.isBoxless && HEADERS.has(context.role);
    if (!isVisible || isHiddenHeader) states.push('hidden');
    else if (!isShowing) states.push('offscreen');
  } else if (context.isBoxless) states.push('hidden');
  return states.sort();
}

const SHOWN = (1 << STATE.SHOWING) | (1 << STATE.VISIBLE);
const NOT_SHOWN = ~((1 << STATE.SHOWING) | (1 << STATE.VISIBLE));

/** The states of something that is also selected if another part of it is. */
export function selectedWith([low, high]: StateBits, part: StateBits): StateBits {
  return hasState(part, STATE.SELECTED) ? [(low | (1 << STATE.SELECTED)) >>> 0, high] : [low, high];
}

/** The states of something that is reported as hidden, but shows. */
export function withShowing([low, high]: StateBits): StateBits {
  return [(low | SHOWN) >>> 0, high];
}

/** The states of something that is reported as showing, but is where nobody sees it. */
export function outOfView([low, high]: StateBits): StateBits {
  return [(low & ~(1 << STATE.SHOWING)) >>> 0, high];
}

/** The states of something that is reported as showing, but is not. */
export function withoutShowing([low, high]: StateBits): StateBits {
  return [(low & NOT_SHOWN) >>> 0, high];
}
