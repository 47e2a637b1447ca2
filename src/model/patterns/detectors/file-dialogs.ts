import type { OutputNode } from '../../tree/node.ts';
import { roleSet } from '../../tree/role.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { areaOf, has, type Screen } from '../screen.ts';
import { isCancel, isOpen, isSave } from '../words/answers.ts';
import { isWriting } from '../words/subjects.ts';
import { fieldsOf, isTyped } from './fields.ts';
import { leadsFurther } from '../words/normal.ts';

const BUTTONS = roleSet('button', 'togglebutton');

/** Folders are browsed by a path or a list of places beside the list of files. */
export function fileDialog(screen: Screen): Finding | undefined {
  const cancel = screen.buttons.find(({ name }) => isCancel(name));
  if (cancel === undefined || screen.of('menubar').length > 0) return undefined;
  const files = listOfFiles(screen);
  if (files === undefined || !browsesFolders(screen)) return undefined;
  // Buttons elsewhere add to a list, or lead to other dialogs.
  const accepting = screen.buttons.filter(
    (node) => isBeside(node, cancel, screen) && !leadsFurther(node.name ?? ''),
  );
  const saves = accepting.find(({ name }) => isSave(name));
  const opens = accepting.findLast(({ name }) => isOpen(name));
  const accept = isWriting(screen.title) ? (saves ?? opens) : (opens ?? saves);
  if (accept === undefined) return undefined;
  const isSaving = accept === saves;
  const name = nameField(screen);
  if (isSaving && name === undefined) return undefined;
  return {
    pattern: isSaving ? 'file_save_dialog' : 'file_open_dialog',
    evidence: [
      ...evidenceOf('name', [name]),
      ...evidenceOf('table', [files]),
      ...evidenceOf('accept', [accept]),
      ...evidenceOf('cancel', [cancel]),
    ],
  };
}

/** Some toolkits put each button into a box of its own. */
function isBeside(node: OutputNode, other: OutputNode, screen: Screen): boolean {
  const near = screen.around(other).slice(0, 2);
  return screen
    .around(node)
    .slice(0, 2)
    .some((container) => near.includes(container));
}

/** The largest list, or what is sorted by buttons above it. */
function listOfFiles(screen: Screen): OutputNode | undefined {
  const lists = screen.of('grid', 'list', 'listbox', 'table', 'tree', 'treegrid');
  return lists.toSorted((one, other) => areaOf(other) - areaOf(one))[0];
}

/** A path such as /home/user is chosen or typed somewhere, or shown as buttons beside a list of places. */
function browsesFolders(screen: Screen): boolean {
  const shown = screen.of('combobox', 'textbox').flatMap(({ name = '', value = '' }) => [name, value]);
  if (shown.some((text) => /^(?:\/|~|[A-Z]:\\|file:\/\/)/u.test(text))) return true;
  const lists = screen.of('grid', 'list', 'listbox', 'table', 'tree', 'treegrid');
  return lists.length >= 2 || screen.nodes.some((node) => isPathBar(node));
}

/** The folders above this one as buttons, this one pressed. */
function isPathBar({ children = [] }: OutputNode): boolean {
  const folders = children.filter(({ role, name }) => BUTTONS.has(role) && name !== undefined);
  return folders.length >= 2 && folders.filter((folder) => has(folder, 'pressed')).length === 1;
}

/** The field with the focus, or else the last one: paths and filters come before the name. */
function nameField(screen: Screen): OutputNode | undefined {
  const typed = fieldsOf(screen).filter((field) => isTyped(field) && field.role !== 'spinbutton');
  return typed.find((field) => has(field, 'focused')) ?? typed.at(-1);
}
