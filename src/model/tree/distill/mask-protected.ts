import type { Draft, Pass } from './draft.ts';

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
