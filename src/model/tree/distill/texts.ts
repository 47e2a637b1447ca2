import { isInteractive, roleSet } from '../role.ts';
import { LONGEST_TITLE } from '../../refs/target.ts';
import { clip } from '../../text/untrusted-text.ts';
import { eachUp, type Draft, type Pass } from './draft.ts';

/** Characters of a name, value or description in JSON. The outline shows fewer (outline.ts). */
export const LONGEST_JSON_TEXT = 1000;

/** Their names are titles, which answers also show beside the tree. */
const TITLED = roleSet('dialog', 'window');
/** Their states already say what a value of 0 or 1 would repeat. */
const STATE_IS_VALUE = roleSet(
  'button',
  'checkbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'switch',
  'tab',
  'togglebutton',
);
const FIELDS = roleSet('combobox', 'searchbox', 'slider', 'spinbutton', 'textbox', 'terminal');

/** Cuts long texts (a text editor may hold a megabyte) and records their length; drops values and descriptions that repeat the name. */
export const limitText: Pass = (root, options) => {
  eachUp(root, (node) => {
    if (STATE_IS_VALUE.has(node.role) || (node.value === node.name && !FIELDS.has(node.role)))
      node.value = '';
    if (node.description === node.name || options.compact) node.description = '';
    if (!isInteractive(node.role) && node.name === '' && node.value !== '' && node.role === 'text') {
      node.name = node.value;
      node.value = '';
    }
    const isWhole = !node.value.endsWith('…');
    if (node.value.length > LONGEST_JSON_TEXT && isWhole) node.valueLength = node.value.length;
    node.value = clip(node.value, LONGEST_JSON_TEXT);
    node.name = clip(node.name, TITLED.has(node.role) ? LONGEST_TITLE : LONGEST_JSON_TEXT);
    node.description = clip(node.description, LONGEST_JSON_TEXT);
  });
};

const PASSWORD_NATIVE_ROLE = /^password|securetextfield/i;

/** Passwords must not leave the machine: removes the value of a password field and every text that repeats it or is inside it. */
export const maskProtected: Pass = (root) => {
  mask(root);
};

function mask(node: Draft): ReadonlySet<string> {
  const secrets = new Set<string>();
  for (const child of node.children) for (const secret of mask(child)) secrets.add(secret);
  if (node.states.includes('protected') || PASSWORD_NATIVE_ROLE.test(node.source.nativeRole)) {
    if (!node.states.includes('protected')) node.states.push('protected');
    for (const secret of textsWithin(node)) secrets.add(secret);
    node.value = '';
    node.children = [];
    node.elided = 0;
    node.elidedReason = undefined;
    if (secrets.has(node.name)) node.name = '';
    if (secrets.has(node.description)) node.description = '';
  } else if (secrets.size > 0) {
    if (secrets.has(node.value.trim())) node.value = '';
    if (secrets.has(node.name)) node.name = '';
    if (secrets.has(node.description)) node.description = '';
  }
  return secrets;
}

/** The value of a protected element and all texts inside it, except its own name and description. */
function textsWithin(node: Draft): string[] {
  const below = node.children.flatMap((child) => [child.name, child.value.trim(), ...textsWithin(child)]);
  return [node.value.trim(), ...below].filter((text) => text !== '');
}
