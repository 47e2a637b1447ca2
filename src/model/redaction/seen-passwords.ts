import type { TreeNode } from '../tree/node.ts';
import { handleKey } from '../tree/node.ts';
import { roleSet } from '../tree/role.ts';

/** Fields that may show a password once somebody asks them to. */
const FIELDS = roleSet('combobox', 'searchbox', 'textbox');
/** Words for the role by which platforms report password fields. */
const PASSWORD_NATIVE_ROLE = /^password|securetextfield/i;
/** What toolkits draw instead of each character, which some also report as the text. An asterisk may as well be what somebody wrote. */
const MASKED = /^[\u2022\u25CF\u26AB\u2B24\u2217\u2219\u2731]+$/;
/** The oldest are forgotten first. */
const MOST_SEEN = 2000;

type Facts = Pick<TreeNode, 'role' | 'nativeRole' | 'value' | 'states'> & {
  readonly text?: string | undefined;
};

interface Seen {
  readonly key: string;
  readonly parent: string;
  readonly name: string;
  readonly index: number;
}

/** Whether an element is a password field now. */
export function isPassword({ role, nativeRole, states, value, text }: Facts): boolean {
  if (states.includes('protected') || PASSWORD_NATIVE_ROLE.test(nativeRole)) return true;
  return FIELDS.has(role) && (MASKED.test(value ?? '') || MASKED.test(text ?? ''));
}

/**
 * The password fields that were seen on a desktop. One that is switched to show its text stays one, also where its toolkit then has another object
 * for it in the same place.
 */
export class SeenPasswords {
  private readonly seen = new Map<string, Seen>();
  private readonly byParent = new Map<string, Set<Seen>>();
  /** Changes with everything that is noted. */
  version = 0;

  has(key: string): boolean {
    return this.seen.has(key);
  }

  note(node: Pick<TreeNode, 'handle' | 'name'>, parent: string, index: number): void {
    const key = handleKey(node.handle);
    if (this.seen.has(key)) return;
    const seen = { key, parent, name: node.name, index };
    this.seen.set(key, seen);
    const siblings = this.byParent.get(parent) ?? new Set();
    this.byParent.set(parent, siblings.add(seen));
    this.version += 1;
    for (const [oldest, { parent: of }] of this.seen) {
      if (this.seen.size <= MOST_SEEN) break;
      this.forget(oldest, of);
    }
  }

  /** Whether a field took the place of one of the password fields that its parent had. */
  hasReplaced(node: TreeNode, parent: TreeNode, index: number): boolean {
    const known = this.byParent.get(handleKey(parent.handle));
    if (known === undefined || !FIELDS.has(node.role)) return false;
    const now = new Set(parent.children.map(({ handle }) => handleKey(handle)));
    return [...known].some(
      ({ key, name, index: was }) =>
        !now.has(key) && (name === '' && node.name === '' ? was === index : name === node.name),
    );
  }

  private forget(key: string, parent: string): void {
    this.seen.delete(key);
    const siblings = this.byParent.get(parent);
    for (const one of siblings ?? []) if (one.key === key) siblings?.delete(one);
    if (siblings?.size === 0) this.byParent.delete(parent);
  }
}
