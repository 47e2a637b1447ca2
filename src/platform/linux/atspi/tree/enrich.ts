import { isInteractive, type Role } from '../../../../model/tree/role.ts';
import type { TreeRequest } from '../../../../ports/desktop/elements.ts';
import type { Application, Channel } from '../bus/application.ts';
import { IMPLEMENTS } from './cache-items.ts';
import {
  LABELLED,
  MIXED_TEXT,
  NAMED_BY_CONTENT,
  NAMELESS_TEXT,
  NUMERIC,
  PARTS,
  TEXTUAL,
} from './detail-roles.ts';
import type { Requests } from '../mirror/requests.ts';
import type { RawNode } from './raw-node.ts';
import { NULL_PATH } from './names.ts';
import { mapRole, NATIVE } from './roles.ts';
import { hasState, STATE } from './states.ts';
import type { ReadingTemplates } from './templates.ts';
import { hasOwnText, isOnlyEmbeddedObjects, mixedText, ownText, restoreHidden } from './text.ts';

/** Longer text is truncated in a snapshot; `get text` reads it all. */
const MAX_TEXT_CHARACTERS = 4000;

/** No real widget has more actions. */
const MAX_ACTIONS = 32;

/** Details that are read only on request. */
type Extras = Pick<TreeRequest, 'includeActions' | 'includeIdentifiers'>;

/** The type of what GTK 4 shows tooltips in. */
const TOOLTIP_WINDOW = 'GtkTooltipWindow';

/**
 * Reads details that only some elements have, in the batch that reads the tree. Interfaces are read first, because ATK
 * applications log a critical warning for each call to an interface that an object lacks.
 */
export class DetailReader {
  readonly #application: Application;
  readonly #templates: ReadingTemplates;
  readonly #batch: Requests;
  readonly #extras: Extras;
  readonly #undecided: RawNode[] = [];
  readonly #labels = new Map<string, string>();
  readonly #mixed = new Map<RawNode, string>();

  constructor(application: Application, channel: Channel, batch: Requests, extras: Extras) {
    this.#application = application;
    this.#templates = channel.templates;
    this.#batch = batch;
    this.#extras = extras;
  }

  request(node: RawNode): void {
    const { includeActions, includeIdentifiers = false } = this.#extras;
    const { traits } = this.#application;
    const role = mapRole(node.nativeRole, node.states);
    if (traits.namesAreTypeNames && isTypeName(node)) {
      // It has the role of any box.
      if (node.name === TOOLTIP_WINDOW) node.nativeRole = NATIVE.TOOL_TIP;
      node.name = '';
    }
    const isLeaf = node.children.length === 0;
    const mayHaveText = TEXTUAL.has(role) || (isLeaf && node.name === '' && NAMELESS_TEXT.has(role));
    // What a password field contains is never asked for.
    const wantsText = mayHaveText && node.nativeRole !== NATIVE.PASSWORD_TEXT;
    this.#requestLabel(node, role);
    if (traits.labelsNameTargets && node.nativeRole === NATIVE.LABEL && role === 'text')
      this.#requestTargets(node);
    if (includeIdentifiers) this.#requestIdentifier(node);
    const isMixed =
      traits.textIsInParent && !isLeaf && node.name === '' && MIXED_TEXT.has(role) && !node.isTopLevel;
    const isPart = traits.textIsInParent && PARTS.has(role) && !node.isTopLevel;
    if (!NUMERIC.has(role) && !wantsText && !isMixed && !isPart && !includeActions) return;
    const choose = (): void => {
      if (role === 'combobox') this.#undecided.push(node);
    };
    this.#withInterfaces(node, (interfaces) => {
      if (NUMERIC.has(role) && (interfaces & IMPLEMENTS.VALUE) !== 0) this.#requestNumber(node);
      else if (wantsText && (interfaces & IMPLEMENTS.TEXT) !== 0) this.#requestText(node, choose);
      else if ((isMixed || isPart) && (interfaces & IMPLEMENTS.TEXT) !== 0)
        this.#requestTextBeside(node, (text) => {
          if (isMixed) this.#mixed.set(node, text);
          else if (ownText(text) !== node.name) node.value = ownText(text);
        });
      else choose();
      if (includeActions && (interfaces & IMPLEMENTS.ACTION) !== 0) this.#requestActions(node);
    });
  }

  /** What needs the tree first: texts with elements inside, and the value of a combo box without text, which is the option selected in it. */
  requestChoices(batch: Requests): void {
    for (const [node, text] of this.#mixed)
      node.name = mixedText(
        text,
        node.children.map(({ name, dropped }) => (dropped ? '' : name)),
      );
    for (const combobox of this.#undecided) {
      combobox.labelledBy ??= this.#labels.get(combobox.path);
      if (this.#application.traits.kind === 'qt' && holdsItsName(combobox)) combobox.value = combobox.name;
      else requestChoice(this.#templates, batch, combobox);
    }
  }

  /** Asks of which controls the texts before others are the labels. */
  requestOwners(batch: Requests, texts: ReadonlyMap<RawNode, RawNode>): void {
    for (const [control, text] of texts)
      batch.request(this.#templates.relations, text.path, (_error, relations) => {
        const targets = relations?.find((relation) => relation.type === 'label_for')?.targets ?? [];
        if (targets.some(({ path }) => path === control.path)) control.labelledBy = text.name;
        else text.labelsAnother = targets.length > 0;
      });
  }

  #requestTargets(label: RawNode): void {
    this.#batch.request(this.#templates.relations, label.path, (_error, relations) => {
      const targets = relations?.find((relation) => relation.type === 'label_for')?.targets ?? [];
      for (const { path } of targets) this.#labels.set(path, label.name);
    });
  }

  #withInterfaces(node: RawNode, use: (interfaces: number) => void): void {
    if (node.interfaces !== undefined) {
      use(node.interfaces);
      return;
    }
    this.#batch.request(this.#templates.interfaces, node.path, (_error, names) => {
      if (!names) return;
      node.interfaces = names;
      use(node.interfaces);
    });
  }

  #requestLabel(node: RawNode, role: Role): void {
    if (!isInteractive(role) && !LABELLED.has(role)) return;
    const { namesAreComputed } = this.#application.traits;
    if (node.name === '') this.#requestDescription(node);
    else if (role !== 'combobox' || namesAreComputed) return;
    if (!namesAreComputed && !NAMED_BY_CONTENT.has(role)) this.#requestRelation(node);
    if (role === 'textbox' && node.name === '') this.#requestPlaceholder(node);
  }

  /** Toolkits have a property for it, web pages an attribute. Qt 5 warns about an unknown property. */
  #requestIdentifier(node: RawNode): void {
    const { identifier, attributes } = this.#templates;
    const keep = (found: string | undefined): void => {
      if (found) node.identifier ??= found;
    };
    if (this.#application.traits.kind !== 'qt')
      this.#batch.request(identifier, node.path, (_error, found) => keep(found));
    this.#batch.request(attributes, node.path, (_error, found) => keep(found?.get('id')));
  }

  /** A field whose only hint is its placeholder: GTK has it only as an attribute. */
  #requestPlaceholder(node: RawNode): void {
    this.#batch.request(this.#templates.attributes, node.path, (_error, attributes) => {
      const placeholder = attributes?.get('placeholder-text');
      if (placeholder) node.description ??= placeholder;
    });
  }

  #requestDescription(node: RawNode): void {
    if (node.cachedDescription !== undefined) {
      if (node.cachedDescription !== '') node.description = node.cachedDescription;
      return;
    }
    this.#batch.request(this.#templates.description, node.path, (_error, description) => {
      if (description) node.description = description;
    });
  }

  #requestRelation(node: RawNode): void {
    this.#batch.request(this.#templates.relations, node.path, (_error, relations) => {
      const label = relations?.find((relation) => relation.type === 'labelled_by')?.targets[0];
      if (!label) return;
      this.#batch.request(this.#templates.name, label.path, (_labelError, name) => {
        if (name) node.labelledBy = name;
      });
    });
  }

  #requestNumber(node: RawNode): void {
    this.#batch.request(this.#templates.value, node.path, (_error, value) => {
      if (value !== undefined && Number.isFinite(value)) node.value = formatNumber(value);
    });
  }

  /** The end offset -1 ("all") returns nothing in GTK 4, a large one nothing in Qt: read the count, then exactly that much. */
  #requestText(node: RawNode, otherwise: () => void): void {
    this.#batch.request(this.#templates.characterCount, node.path, (_error, count) => {
      if (count === undefined) return;
      if (count <= 0) {
        node.value = '';
        return;
      }
      const end = Math.min(count, MAX_TEXT_CHARACTERS);
      this.#batch.request(this.#templates.text(0, end), node.path, (_textError, reported) => {
        if (reported === undefined) return;
        const text = restoreHidden(this.#application.traits, reported, end);
        if (!isOnlyEmbeddedObjects(text)) node.value = count > end ? `${text}…` : text;
        else otherwise();
      });
    });
  }

  /** The text of an element that says more than the elements in it. */
  #requestTextBeside(node: RawNode, use: (text: string) => void): void {
    this.#batch.request(this.#templates.characterCount, node.path, (_error, count) => {
      // As many characters as children: nothing but children.
      if (count === undefined || count <= node.children.length) return;
      const end = Math.min(count, MAX_TEXT_CHARACTERS);
      this.#batch.request(this.#templates.text(0, end), node.path, (_textError, text = '') => {
        if (hasOwnText(text)) use(text);
      });
    });
  }

  #requestActions(node: RawNode): void {
    const templates = this.#templates;
    if (this.#application.traits.actionListHasNames) {
      this.#batch.request(templates.actionNames, node.path, (_error, names) => {
        if (names) node.actions = names.slice(0, MAX_ACTIONS);
      });
      return;
    }
    this.#batch.request(templates.actionCount, node.path, (_error, count) => {
      if (count === undefined) return;
      const names: string[] = [];
      node.actions = names;
      for (let index = 0; index < Math.min(count, MAX_ACTIONS); index++) {
        this.#batch.request(templates.actionName(index), node.path, (_nameError, name) => {
          names[index] = name ?? '';
        });
      }
    });
  }
}

/** GTK 4 names an unnamed widget after its type, and every tab "Tab", with its title on a label inside. */
function isTypeName({ name, nativeRole }: RawNode): boolean {
  return /^(?:Gtk|Gdk|Adw|Gsk|Gedit|Editor|Gjs_)[A-Z]\w*$/.test(name) || name === UNNAMED[nativeRole];
}

const UNNAMED: Readonly<Record<number, string>> = {
  [NATIVE.PAGE_TAB]: 'Tab',
  [NATIVE.PAGE_TAB_LIST]: 'Tab list',
};

/** Toolkits return 0.30000000000000004 for 0.3. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/**
 * Whether a combo box of Qt is named by the option that it holds. In its list another one may be selected: the one under the pointer while it is
 * open, and in Qt 5 still after it was closed without a choice.
 */
export function holdsItsName({ name, children: [list] }: RawNode): boolean {
  return name !== '' && list?.children.some((option) => option.name === name) === true;
}

/**
 * Reads the chosen option of a combo box without text. GTK and LibreOffice select in the box itself; browsers have the
 * options in a menu inside it, which is hidden while the list is closed but can still be queried.
 */
function requestChoice(templates: ReadingTemplates, batch: Requests, combobox: RawNode): void {
  if (implementsSelection(combobox)) {
    requestSelected(templates, batch, combobox.path, combobox);
    return;
  }
  const [list] = combobox.children;
  if (!list) return;
  const chosen = list.children.find(
    (option) => hasState(option.states, STATE.SELECTED) && option.name !== '',
  );
  if (chosen) {
    combobox.value = chosen.name;
    return;
  }
  if (list.interfaces !== undefined) {
    if (implementsSelection(list)) requestSelected(templates, batch, list.path, combobox);
    return;
  }
  batch.request(templates.interfaces, list.path, (_error, names) => {
    list.interfaces = names ?? 0;
    if (implementsSelection(list)) requestSelected(templates, batch, list.path, combobox);
  });
}

function implementsSelection(node: RawNode): boolean {
  return ((node.interfaces ?? 0) & IMPLEMENTS.SELECTION) !== 0;
}

function requestSelected(
  templates: ReadingTemplates,
  batch: Requests,
  path: string,
  combobox: RawNode,
): void {
  batch.request(templates.selectedCount, path, (_error, count) => {
    if (count === undefined || count <= 0) return;
    batch.request(templates.selectedChild, path, (_childError, child) => {
      if (!child || !child.path.startsWith('/') || child.path === NULL_PATH) return;
      batch.request(templates.name, child.path, (_nameError, name) => {
        if (name) combobox.value = name;
      });
    });
  });
}
