import type { OutputNode } from '../../tree/node.ts';
import { roleSet } from '../../tree/role.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { areaOf, has, isDialog, Screen } from '../screen.ts';

const PAGES = roleSet('document');
const LEAST_SHARE = 0.25;
/** A header bar has at least so many buttons. */
const FEWEST_BUTTONS = 3;
/** The size of a font, as tool bars show it. */
const FONT_SIZE = /^\d{1,3}(?:[.,]\d)? ?(?:pt|пт|磅|ポイント)?$/u;

/** A text of at least a quarter of the window that can be edited, with a menu bar, a tool bar or a header bar; or a document with tools for its fonts. */
export function textEditor(screen: Screen): Finding | undefined {
  if (isDialog(screen.root) || areaOf(screen.root) === 0) return undefined;
  const text = screen.of('textbox').find((node) => isEditor(node, screen));
  const found = text !== undefined && hasTools(screen) ? text : formattedDocument(screen);
  return found && { pattern: 'text_editor', evidence: evidenceOf('text', [found]) };
}

function isEditor(node: OutputNode, screen: Screen): boolean {
  if (has(node, 'readonly') || has(node, 'disabled') || screen.isInside(node, PAGES)) return false;
  return areaOf(node) >= areaOf(screen.root) * LEAST_SHARE && !isMarkup(node);
}

/** Viewers of pages call the page a text of this type. */
function isMarkup({ name = '' }: OutputNode): boolean {
  return name === 'text/html';
}

function hasTools(screen: Screen): boolean {
  if (screen.of('menubar', 'toolbar').length > 0) return true;
  return screen.buttons.length >= FEWEST_BUTTONS;
}

function formattedDocument(screen: Screen): OutputNode | undefined {
  const document = screen.of('document').find((node) => areaOf(node) >= areaOf(screen.root) * LEAST_SHARE);
  if (document === undefined) return undefined;
  const paragraphs = new Screen(document).of('paragraph', 'heading');
  const toolbars = screen.of('toolbar').map((node) => new Screen(node));
  const hasFonts = toolbars.some(
    (bar) => bar.of('combobox').length >= 2 && bar.of('combobox').some(isFontSize),
  );
  return hasFonts && paragraphs.length > 0 ? document : undefined;
}

function isFontSize(node: OutputNode): boolean {
  const inner = node.children?.flatMap(({ name = '', value = '' }) => [name, value]) ?? [];
  return [node.value ?? '', ...inner].some((text) => FONT_SIZE.test(text));
}
