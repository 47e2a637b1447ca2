import type { OutputNode } from '../tree/node.ts';

/** The patterns that are recognized; docs/guides/patterns.md says what counts as each. */
export const PATTERNS = [
  'login_form',
  'file_save_dialog',
  'file_open_dialog',
  'settings_page',
  'confirmation_dialog',
  'error_alert',
  'search_interface',
  'table_view',
  'form',
  'browser_main',
  'text_editor',
  'progress_indicator',
] as const;
export type Pattern = (typeof PATTERNS)[number];

/** `busy`: the application did not answer within {@link BUSY_AFTER_MS}. */
export const APP_STATES = ['idle', 'loading', 'error', 'auth_required', 'busy', 'modal_dialog'] as const;
export type AppState = (typeof APP_STATES)[number];

export const BUSY_AFTER_MS = 500;

/** What an element is to its pattern; suggestions are about these. */
export const PARTS = [
  'message',
  'account',
  'password',
  'name',
  'field',
  'choice',
  'search',
  'results',
  'table',
  'address',
  'page',
  'text',
  'progress',
  'accept',
  'cancel',
  'answer',
] as const;
export type Part = (typeof PARTS)[number];

export interface Evidence {
  readonly part: Part;
  readonly node: OutputNode;
}

/** A pattern that was found, with the elements that show it. */
export interface Finding {
  readonly pattern: Pattern;
  readonly evidence: readonly Evidence[];
}

/** The part that each of some elements is. */
export function evidenceOf(part: Part, nodes: readonly (OutputNode | undefined)[]): readonly Evidence[] {
  return nodes.flatMap((node) => (node === undefined ? [] : [{ part, node }]));
}
