import type { OutputNode } from '../../tree/node.ts';
import { roleSet } from '../../tree/role.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { areaOf, has, isDialog, Screen } from '../screen.ts';
import { isAboutAddress, isAboutSearch, isAboutSettings } from '../words/subjects.ts';
import { isCancel, isOk } from '../words/answers.ts';
import { fieldsOf, isTyped } from './fields.ts';

const FIELDS = roleSet('combobox', 'searchbox', 'textbox');
const PAGES = roleSet('document');
const BARS = roleSet('toolbar', 'titlebar', 'status');
/** Pixels between a field and the list below it. */
const GAP = 24;
/** A pane of results has at least this part of the window. */
const LEAST_PANE = 0.25;
const CONTROLS = roleSet('button', 'checkbox', 'combobox', 'radio', 'searchbox', 'spinbutton', 'textbox');
const OUTER = roleSet('combobox', 'searchbox');
/** More fields are the cells of a sheet. */
const MOST_CANDIDATES = 200;
/** What is found has at least this part of the window. */
const LEAST_SHARE = 0.05;

/** A field for what is looked for, and what is found: a list, or links in a page. Finding in the text of one document is not meant. */
export function searchInterface(screen: Screen, isTextEditor: boolean): Finding | undefined {
  if (isTextEditor) return undefined;
  const candidates = screen.nodes.filter(({ role }) => FIELDS.has(role)).slice(0, MOST_CANDIDATES);
  const search = candidates.find((node) => isSearchField(node, screen));
  if (search === undefined) return undefined;
  const page = screen.around(search).find(({ role }) => role === 'document');
  const place = page === undefined ? screen : new Screen(page);
  const results = resultsIn(place, search);
  if (results === undefined) return undefined;
  return {
    pattern: 'search_interface',
    evidence: [...evidenceOf('search', [search]), ...evidenceOf('results', [results])],
  };
}

function isSearchField(node: OutputNode, screen: Screen): boolean {
  if (!FIELDS.has(node.role) || has(node, 'disabled') || has(node, 'readonly') || has(node, 'protected'))
    return false;
  if (screen.isInside(node, OUTER) || isLarge(node, screen)) return false;
  const words = [node.name, node.description, node.identifier, node.children?.find(isTextOrImage)?.name];
  if (words.some(isAboutAddress)) return false;
  if (node.role === 'searchbox' || isSearchBar(node, screen)) return true;
  if (!isTyped(node)) return false;
  if (words.some(isAboutSearch) || words.some(isNamedSearch) || isAboutSearch(node.value?.split(':')[0]))
    return !isFindBar(node, screen);
  return hasSearchButton(node, screen) && !isFindBar(node, screen);
}

/** GTK 4 describes a search bar as a form with a single field without a name; other toolkits put such a field right above its list. */
function isSearchBar(node: OutputNode, screen: Screen): boolean {
  if (node.role !== 'textbox' || node.name !== undefined || isPath(node)) return false;
  const above = screen.parentOf(node);
  if (screen.isInside(node, PAGES) || screen.isInside(node, BARS) || above === undefined) return false;
  if (above.role === 'form' && fieldsOf(new Screen(above)).length === 1) return true;
  const isDecided = screen.buttons.some(({ name }) => isCancel(name) || isOk(name));
  const lists = screen.of('list', 'listbox', 'table', 'tree', 'treegrid');
  return !isDecided && lists.some((list) => isRightAbove(node, list));
}

function isPath({ value = '' }: OutputNode): boolean {
  return /^[/~]|:\\/u.test(value);
}

function isRightAbove({ bounds }: OutputNode, { bounds: list }: OutputNode): boolean {
  if (bounds === undefined || list === undefined) return false;
  const gap = list.y - (bounds.y + bounds.height);
  const isWithin = bounds.x >= list.x - GAP && bounds.x + bounds.width <= list.x + list.width + GAP;
  return gap >= -GAP / 2 && gap <= GAP && isWithin && list.height > bounds.height * 3;
}

/** The name of the part in the program, which some toolkits report. */
function isNamedSearch(name: string | undefined): boolean {
  return name !== undefined && /query ?editor|search[ _-]?(?:entry|bar|box|field)/iu.test(name);
}

function isTextOrImage({ role }: OutputNode): boolean {
  return role === 'image' || role === 'text';
}

function isLarge(node: OutputNode, screen: Screen): boolean {
  return areaOf(node) > areaOf(screen.root) / 5 && areaOf(screen.root) > 0;
}

/** Dialogs that find and replace, and bars with steps to the next and previous place, are about one text. */
function isFindBar(node: OutputNode, screen: Screen): boolean {
  const beside = screen.parentOf(node)?.children ?? [];
  const steps = beside.filter(
    ({ role, name = '' }) => role === 'button' && /\b(?:next|previous|replace)\b|F3/iu.test(name),
  );
  return (
    steps.length > 0 ||
    (isDialog(screen.root) &&
      screen.of('list', 'listbox', 'table', 'tree', 'treegrid').length === 0 &&
      areaWithItems(screen) === undefined)
  );
}

function hasSearchButton(node: OutputNode, screen: Screen): boolean {
  const beside = screen.parentOf(node)?.children ?? [];
  return beside.some(({ role, name }) => role === 'button' && isAboutSearch(name));
}

function resultsIn(place: Screen, search: OutputNode): OutputNode | undefined {
  const least = areaOf(place.root) * LEAST_SHARE;
  const lists = place
    .of('grid', 'list', 'listbox', 'table', 'tree', 'treegrid', 'rowgroup')
    .filter(
      (node) =>
        node.children?.includes(search) !== true &&
        areaOf(node) > 0 &&
        areaOf(node) >= Math.min(least, 20_000),
    );
  const largest = lists.toSorted((one, other) => areaOf(other) - areaOf(one))[0];
  if (largest !== undefined) return largest;
  if (place.root.role !== 'document') return areaWithItems(place);
  const after = place.nodes.slice(place.nodes.indexOf(search));
  const isAnswered = (search.value ?? '') !== '' || after.filter(({ role }) => role === 'link').length >= 3;
  // A page of settings is itself what its field filters, and so is one across which the field goes.
  return isAnswered || isAboutSettings(place.title) || isAcross(search, place) ? place.root : undefined;
}

function isAcross({ bounds }: OutputNode, { root }: Screen): boolean {
  return bounds !== undefined && root.bounds !== undefined && bounds.width * 2 >= root.bounds.width;
}

/** A large pane that a toolkit does not call a list, with nothing in it to fill in. */
function areaWithItems(place: Screen): OutputNode | undefined {
  const least = areaOf(place.root) * LEAST_PANE;
  return place
    .of('generic', 'group', 'tabpanel')
    .filter((node) => node !== place.root && areaOf(node) > 0 && areaOf(node) >= least)
    .findLast((node) => new Screen(node).nodes.every(({ role }) => !CONTROLS.has(role)));
}
