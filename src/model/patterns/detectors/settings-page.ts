import type { OutputNode } from '../../tree/node.ts';
import { roleSet } from '../../tree/role.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { has, isDialog, Screen } from '../screen.ts';
import { isApply, isCancel, isClose, isHelp, isOk } from '../words/answers.ts';
import { isAboutSettings } from '../words/subjects.ts';
import { fieldsOf } from './fields.ts';

const CHOICES = roleSet('checkbox', 'radio', 'slider', 'switch');
const BARS = roleSet('menubar', 'toolbar', 'status', 'table', 'tree', 'treegrid');

/** Its title says that it is about settings and there is something to set, or it is a dialog of pages full of choices that are applied or closed. */
export function settingsPage(screen: Screen): Finding | undefined {
  const page = pageOf(screen);
  const choices = choicesOf(page);
  const cancels = page.buttons.find(({ name }) => isCancel(name));
  const accepts = page.buttons.find(({ name }) => isOk(name));
  const isOne = isNamedSo(screen, page) ? choices.length >= 2 : isSheetOfChoices(page, choices);
  if (!isOne) return undefined;
  return {
    pattern: 'settings_page',
    evidence: [
      ...evidenceOf('choice', choices.slice(0, 5)),
      ...evidenceOf('accept', [accepts]),
      ...evidenceOf('cancel', [cancels]),
    ],
  };
}

/** In a browser, the page and not what is around it. */
function pageOf(screen: Screen): Screen {
  const document = screen.of('document').find((node) => node !== screen.root);
  return document === undefined ? screen : new Screen(document);
}

function choicesOf(page: Screen): readonly OutputNode[] {
  const toggles = page.nodes.filter((node) => isChoice(node, page) && !page.isInside(node, BARS));
  return [...toggles, ...fieldsOf(page)];
}

/** Web pages draw switches as buttons that stay pressed. */
function isChoice({ role, name = '' }: OutputNode, page: Screen): boolean {
  if (CHOICES.has(role)) return name !== '';
  return role === 'togglebutton' && page.root.role === 'document' && name !== '';
}

/** Its title, its heading, or the tab that is open. */
function isNamedSo(screen: Screen, page: Screen): boolean {
  const headings = page.nodes.filter(({ role }) => role === 'heading').slice(0, 1);
  const tabs = screen.of('tab').filter((tab) => has(tab, 'selected'));
  const names = [screen.title, page.title, ...[...headings, ...tabs].map(({ name }) => name)];
  return names.some(isAboutSettings);
}

/** In a language that is not known, or without such a title: pages of choices, and buttons that apply or close but do nothing else. */
function isSheetOfChoices(page: Screen, choices: readonly OutputNode[]): boolean {
  if (!isDialog(page.root) || choices.length < 4 || page.of('tab').length < 2) return false;
  const toggles = choices.filter(({ role }) => CHOICES.has(role) || role === 'combobox');
  const others = page.buttons.filter(
    ({ name, role }) =>
      role === 'button' &&
      !isClose(name) &&
      !isHelp(name) &&
      !isCancel(name) &&
      !isApply(name) &&
      !isOk(name),
  );
  return toggles.length >= 3 && toggles.length * 2 > choices.length && others.length <= 4;
}
