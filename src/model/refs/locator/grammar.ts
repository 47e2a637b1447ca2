import type { Role } from '../../tree/role.ts';
import type { State } from '../../tree/state.ts';

/** What a step searches for. */
export const LOCATOR_KINDS = ['role', 'text', 'label', 'id', 'path', 'cell'] as const;
export type LocatorKind = (typeof LOCATOR_KINDS)[number];

export const TEXT_ATTRIBUTES = ['name', 'value', 'description'] as const;
export type TextAttribute = (typeof TEXT_ATTRIBUTES)[number];

/** `=` the whole text, `*=` a part, ignoring case, `~=` a pattern, ignoring case. */
export const TEXT_OPERATORS = ['=', '*=', '~='] as const;
export type TextOperator = (typeof TEXT_OPERATORS)[number];

/** The brackets after a step, except `[nth=…]`. */
export type LocatorFilter =
  | { readonly attribute: TextAttribute; readonly operator: TextOperator; readonly text: string }
  | { readonly state: State; readonly holds: boolean };

/** One step: what to search in the window, or inside the matches of the previous step. */
export type LocatorStep = {
  readonly filters: readonly LocatorFilter[];
  /** Only this match, in document order, from 1. */
  readonly nth?: number | undefined;
} & (
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: Exclude<LocatorKind, 'role'>; readonly value: string }
);

/** A query that finds elements; see docs/guides/locators.md for how it is written. */
export interface Locator {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  /** Never empty. */
  readonly steps: readonly LocatorStep[];
}
