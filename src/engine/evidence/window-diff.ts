import { shownName } from '../../model/tree/shown-name.ts';
import type { Change } from '../../model/effects/effect.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import { shownRole } from '../../model/tree/role.ts';
import type { State } from '../../model/tree/state.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { membership } from '../refs/window-identity.ts';
import { isItem } from '../tree/identity.ts';
import { withoutAdditions } from './spoken-additions.ts';

/** One reading of a window. */
export interface Reading {
  readonly root: TreeNode;
  readonly complete: boolean;
}

/** A change with the element it concerns, so that a ref can be assigned. */
export interface ObservedChange {
  readonly change: Change;
  /** As it was last seen: before the act for what disappeared. */
  readonly node: TreeNode;
  /** {@link handleKey} of the element, for matching it with events. */
  readonly key: string;
  /** Keys of its ancestors, nearest first; if it appeared or disappeared, only up to the first that both readings have. */
  readonly lineage: readonly string[];
}

const LONGEST_TEXT = 120;
/** States that follow the pointer and the window's activation, not an act. */
const RESTLESS: ReadonlySet<State> = new Set<State>(['active', 'hovered', 'busy']);
/** Roles that stay pressed; on all others `pressed` only means that the press is in progress. */
const LATCHING = new Set(['togglebutton', 'switch']);

interface Place {
  readonly node: TreeNode;
  readonly key: string;
  readonly parent: Place | undefined;
  /** Its position among the children of {@link parent}. */
  readonly index: number;
}

/**
 * The differences between two readings of one window. Elements are the same if their native objects are. A missing reading has no
 * differences, and nothing appeared or disappeared if only a part was read.
 */
export function diffTrees(before: Reading | undefined, after: Reading | undefined): ObservedChange[] {
  if (!before || !after) return [];
  const old = collect(before.root);
  const now = withFormerKeys(collect(after.root), old);
  const changes = [...now.values()].flatMap((place) => {
    const previous = old.get(place.key);
    return previous ? differences(previous.node, place) : [];
  });
  if (!before.complete || !after.complete) return changes;
  return [...changes, ...unmatched('appeared', now, old), ...unmatched('disappeared', old, now)];
}

/** The elements of a window now, each with the handle by which it was known before. */
export function knownElements(
  before: Reading | undefined,
  after: Reading | undefined,
): { readonly handle: NodeHandle; readonly node: TreeNode }[] {
  if (!before || !after) return [];
  const old = collect(before.root);
  const now = withFormerKeys(collect(after.root), old);
  return [...now.values()].map(({ key, node }) => ({
    handle: old.get(key)?.node.handle ?? node.handle,
    node,
  }));
}

function unmatched(
  kind: 'appeared' | 'disappeared',
  here: ReadonlyMap<string, Place>,
  there: ReadonlyMap<string, Place>,
  isWanted = isReportable,
): ObservedChange[] {
  return [...here.values()]
    .filter(({ key, node }) => !there.has(key) && isWanted(node))
    .map((place) => {
      const lineage = lineageOf(place);
      const stayed = lineage.findIndex((key) => there.has(key));
      return {
        change: { kind, ...describe(shown(place)) },
        node: place.node,
        key: place.key,
        lineage: stayed < 0 ? lineage : lineage.slice(0, stayed + 1),
      };
    });
}

/** The elements without name and value that appeared or disappeared: pages and bars, of which receipts list only what is in them. */
export function unnamedChanges(before: Reading, after: Reading): ObservedChange[] {
  if (!before.complete || !after.complete) return [];
  const old = collect(before.root);
  const now = withFormerKeys(collect(after.root), old);
  const isUnnamed = (node: TreeNode): boolean => !isReportable(node);
  return [...unmatched('appeared', now, old, isUnnamed), ...unmatched('disappeared', old, now, isUnnamed)];
}

/** What identifies a window, and its title. */
export type TitledWindow = Pick<DesktopWindow, 'id' | 'otherId' | 'title'>;

/** A window that opened, closed or changed. */
export interface WindowChange<W extends TitledWindow = DesktopWindow> {
  readonly change: Change;
  readonly window: W;
  /** It belongs to a program that the application of the target started since the act. */
  readonly isStarted?: boolean;
}

export function diffWindows<W extends TitledWindow>(
  before: readonly W[] | undefined,
  after: readonly W[] | undefined,
): WindowChange<W>[] {
  if (!before || !after) return [];
  const wasThere = membership(before);
  const isThere = membership(after);
  return [
    ...after.filter((window) => !wasThere(window)).map((window) => windowChange('window_opened', window)),
    ...before.filter((window) => !isThere(window)).map((window) => windowChange('window_closed', window)),
  ];
}

export function windowChange<W extends TitledWindow>(kind: Change['kind'], window: W): WindowChange<W> {
  return { change: { kind, role: 'window', name: clip(window.title, LONGEST_TEXT) }, window };
}

function differences(before: TreeNode, place: Place): ObservedChange[] {
  const found = changesBetween(before, shown(place));
  const lineage = found.length === 0 ? [] : lineageOf(place);
  return found.map((change) => ({ change, node: place.node, key: place.key, lineage }));
}

/** The element with the role that readers see. */
function shown({ node, parent }: Place): TreeNode {
  const role = shownRole(node, parent?.node.role);
  return role === node.role ? node : { ...node, role };
}

/** The properties of an element whose changes are reported. */
export type ElementFacts = Pick<TreeNode, 'role' | 'name' | 'value' | 'staysPressed'> & {
  readonly states: readonly State[];
};

/** The changes of one element. Values of password fields are never reported. */
export function changesBetween(before: ElementFacts, after: ElementFacts): Change[] {
  const found: Change[] = [];
  const report = (from: string, to: string): void => {
    found.push({ kind: 'changed', ...describe(after), before: from, after: to });
  };
  const isSecret = before.states.includes('protected') || after.states.includes('protected');
  const [was, is] = [withoutAdditions(shownName(before)), withoutAdditions(shownName(after))];
  // What differs only in what readers never see is still a change.
  if (withoutAdditions(before.name) !== withoutAdditions(after.name))
    report(`name ${quote(was === is ? before.name : was)}`, `name ${quote(was === is ? after.name : is)}`);
  if ((before.value ?? '') !== (after.value ?? '') && !isSecret)
    report(`value ${quote(before.value ?? '')}`, `value ${quote(after.value ?? '')}`);
  const lost = before.states.filter((state) => isReported(state, after) && !after.states.includes(state));
  const gained = after.states.filter((state) => isReported(state, after) && !before.states.includes(state));
  const isFocusOnly = [...lost, ...gained].every((state) => state === 'focused');
  if (gained.includes('focused') && isFocusOnly) found.push({ kind: 'focus', ...describe(after) });
  else if (!isFocusOnly) report(lost.join(' ') || 'none', gained.join(' ') || 'none');
  return found;
}

function isReported(state: State, node: ElementFacts): boolean {
  if (RESTLESS.has(state)) return false;
  return state !== 'pressed' || node.staysPressed === true || LATCHING.has(node.role);
}

function collect(root: TreeNode): Map<string, Place> {
  const places = new Map<string, Place>();
  const visit = (node: TreeNode, parent: Place | undefined, index: number): void => {
    const place = { node, key: handleKey(node.handle), parent, index };
    places.set(place.key, place);
    // What is inside a password field may be the password.
    if (!node.states.includes('protected')) node.children.forEach((child, at) => visit(child, place, at));
  };
  visit(root, undefined, 0);
  return places;
}

/**
 * The current places; a recreated item has the key of the equal item that was at its position: Swing recreates rows and cells on every
 * request.
 */
function withFormerKeys(
  now: ReadonlyMap<string, Place>,
  old: ReadonlyMap<string, Place>,
): ReadonlyMap<string, Place> {
  const renamed = new Map<Place, Place>();
  const known = new Map<string, Place>();
  for (const place of now.values()) {
    const parent = place.parent && (renamed.get(place.parent) ?? place.parent);
    const key =
      old.has(place.key) || !mayBeRecreated(place.node) ? place.key : formerKey(place, parent, { now, old });
    const kept = { ...place, key, parent };
    renamed.set(place, kept);
    known.set(key, kept);
  }
  return known;
}

function mayBeRecreated({ role, children }: TreeNode): boolean {
  return isItem(role) || (role === 'text' && children.length === 0);
}

function formerKey(
  { node, key, index }: Place,
  known: Place | undefined,
  { now, old }: { readonly now: ReadonlyMap<string, Place>; readonly old: ReadonlyMap<string, Place> },
): string {
  const former = known && old.get(known.key)?.node.children[index];
  if (former?.role !== node.role || former.name !== node.name) return key;
  const formerly = handleKey(former.handle);
  return now.has(formerly) ? key : formerly;
}

function lineageOf(place: Place): string[] {
  const keys: string[] = [];
  for (let { parent } = place; parent; { parent } = parent) keys.push(parent.key);
  return keys;
}

function isReportable(node: TreeNode): boolean {
  return node.name !== '' || (node.value ?? '') !== '';
}

export function describe(node: ElementFacts): { role: string; name?: string } {
  const name = shownName(node);
  return { role: node.role, ...(name === '' ? {} : { name: clip(name, LONGEST_TEXT) }) };
}

function quote(text: string): string {
  return JSON.stringify(clip(text, LONGEST_TEXT));
}
