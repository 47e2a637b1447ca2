import { z } from 'zod';
import { parseRole, ROLES } from '../../../../model/tree/role.ts';

/** Attributes of an element, besides its path. */
export const ATTRIBUTES = [
  'role',
  'title',
  'value',
  'identifier',
  'description',
  'enabled',
  'focused',
  'position',
  'size',
  'actions',
  'children',
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

/** An attribute by its name or its macOS name (`AXTitle`). */
export function parseAttribute(text: string): Attribute | undefined {
  const key = text.toLowerCase().replace(/^ax/, '');
  return ATTRIBUTES.find((attribute) => attribute === key);
}

/** Parameters with names from a closed list, and what to say about an unknown name. */
export const NAMED: Readonly<
  Record<string, { readonly what: string; readonly names: readonly string[]; readonly hint: string }>
> = {
  include_attributes: {
    what: 'attribute',
    names: ATTRIBUTES,
    hint: `Attributes are ${ATTRIBUTES.join(', ')}.`,
  },
  role: roleNames(),
  filter_roles: roleNames(),
};

function roleNames() {
  return {
    what: 'role',
    names: ROLES,
    hint: 'Use an ARIA role such as button, textbox, checkbox, menuitem or tab; native names such as AXButton or "push button" also work.',
  };
}

const MAX_APP_LENGTH = 256;
const MAX_TEXT_LENGTH = 1000;
const MAX_NAME_LENGTH = 64;

export const app = z
  .union([z.string().regex(/\S/).max(MAX_APP_LENGTH), z.int().min(1)])
  .describe('Application: its name (case-insensitive) or process id.');

export const role = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine((text) => parseRole(text) !== undefined)
  .describe('ARIA role, or a native one such as AXButton.');

export const attributes = z
  .array(
    z
      .string()
      .max(MAX_NAME_LENGTH)
      .refine((text) => parseAttribute(text) !== undefined),
  )
  .max(2 * ATTRIBUTES.length)
  .describe(`Show only these of ${ATTRIBUTES.join(', ')}; path, role and children are always shown.`);

export function text(description: string) {
  return z.string().min(1).max(MAX_TEXT_LENGTH).describe(description);
}
