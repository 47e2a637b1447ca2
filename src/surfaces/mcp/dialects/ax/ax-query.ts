import { parseRole } from '../../../../model/tree/role.ts';

/** How `ax_find` may search, and how `find` calls that. */
export const STRATEGIES = {
  auto: 'auto',
  exact: 'exact',
  contains: 'contains',
  regex: 'regex',
  role: 'role',
  identifier: 'identifier',
  xpath: 'path',
} as const;
export type Strategy = keyof typeof STRATEGIES;

/** What the dialect calls the method by which `find` found something. */
export const FOUND_BY: Readonly<Record<string, string>> = {
  exact: 'title_exact',
  contains: 'title_contains',
  regex: 'regex',
  role: 'role_title',
  identifier: 'identifier',
  path: 'xpath',
  fuzzy: 'semantic',
  cell: 'cell',
};

/** The methods that `auto` tries, as failures list them. */
export const TRIED = 'title_exact, title_contains, role_title, identifier, xpath, semantic, regex';

/** A query as it was understood. */
export type AxQuery =
  /** A reference or a locator, which commands resolve themselves. */
  | { readonly kind: 'target'; readonly target: string }
  /** Something for `find`. */
  | { readonly kind: 'search'; readonly query: string; readonly role?: string };

const REF = /^@[ewt]\d+$/;
const LOCATOR = /^(?:role|text|label|id|path|app|cell):\S|\S >> \S/;
const WITH_ROLE = /^([A-Za-z][\w -]*):\s*(\S[^]*)$/;
const MAC_ROLE = /^AX[A-Z]\w+$/;

/** Reads a query: an element_ref, a locator of ours, `role:title` (`button:Save`, `AXButton:Save`), a role of macOS, or a text. */
export function parseQuery(text: string, app: string): AxQuery {
  const query = text.trim();
  if (REF.test(query)) return { kind: 'target', target: query };
  const [, role = '', title = ''] = WITH_ROLE.exec(query) ?? [];
  const isRole = role !== '' && parseRole(role) !== undefined;
  if (LOCATOR.test(query)) {
    const target = query.startsWith('app:') ? query : `app:${JSON.stringify(app)} >> ${query}`;
    return { kind: 'target', target };
  }
  if (isRole) return { kind: 'search', query: title, role };
  if (MAC_ROLE.test(query) && parseRole(query) !== undefined)
    return { kind: 'search', query: '', role: query };
  return { kind: 'search', query };
}
