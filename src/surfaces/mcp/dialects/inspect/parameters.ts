import { z } from 'zod';
import { parseRole, ROLES } from '../../../../model/tree/role.ts';

/** What an answer says about an element, beside its path. */
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

/** An attribute by its name, or by the one it has on macOS (`AXTitle`). */
export function parseAttribute(text: string): Attribute | undefined {
  const key = text.toLowerCase().replace(/^ax/, '');
  return ATTRIBUTES.find((attribute) => attribute === key);
}

/** Parameters that take names of a closed list, and what to say of one that is not in it. */
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
    hint: 'Use an ARIA role such as button, textbox, checkbox, menuitem or tab; native names such as AXButton or "push button" work too.',
  };
}

const MAX_APP_LENGTH = 256;
const MAX_TEXT_LENGTH = 1000;
const MAX_NAME_LENGTH = 64;

export const app = z
  .union([z.string().regex(/\S/).max(MAX_APP_LENGTH), z.int().min(1)])
  .describe('Application: its name in any case, or its process id.');

export const role = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine((text) => parseRole(text) !== undefined)
  .describe('Role, by its ARIA name or a native one such as AXButton.');

export const attributes = z
  .array(
    z
      .string()
      .max(MAX_NAME_LENGTH)
      .refine((text) => parseAttribute(text) !== undefined),
  )
  .max(2 * ATTRIBUTES.length)
  .describe(`Show only these of ${ATTRIBUTES.join(', ')}; path, role and children always stand there.`);

export function text(description: string) {
  return z.string().min(1).max(MAX_TEXT_LENGTH).describe(description);
}
