import type { Role } from '../../../../model/tree/role.ts';
import { isInteractive } from '../../../../model/tree/role.ts';
import type { TreeRequest } from '../../../../ports/desktop.ts';
import type { Batch } from '../../dbus/index.ts';
import type { Application, Channel } from '../bus/application.ts';
import { IMPLEMENTS, interfaceSet } from './cache-items.ts';
import type { RawNode } from './raw-node.ts';
import { requestChoice } from '../actions/combobox-choice.ts';
import { mapRole, NATIVE } from './roles.ts';
import { isOnlyEmbeddedObjects, restoreHidden } from './text.ts';

/** Longer text is truncated in a snapshot; `get text` reads it all. */
const MAX_TEXT_CHARACTERS = 4000;

const NUMERIC: ReadonlySet<Role> = new Set<Role>(['slider', 'spinbutton', 'progressbar', 'meter']);
const TEXTUAL: ReadonlySet<Role> = new Set<Role>(['textbox', 'searchbox', 'terminal', 'combobox']);
/** Named by their content, never by a label beside them; there may be thousands. */
const NAMED_BY_CONTENT: ReadonlySet<Role> = new Set<Role>([
  'cell',
  'gridcell',
  'link',
  'listitem',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
]);
/** Not interactive, but a label beside them names what they show. */
const LABELLED: ReadonlySet<Role> = new Set<Role>([
  'progressbar',
  'meter',
  'listbox',
  'table',
  'tree',
  'treegrid',
]);
/** Leaves without a name whose text is in the Text interface, such as paragraphs in Writer and cells in Calc. */
const NAMELESS_TEXT: ReadonlySet<Role> = new Set<Role>([
  'text',
  'paragraph',
  'heading',
  'cell',
  'listitem',
  'caption',
  'status',
  'code',
  'blockquote',
]);

/** Details that are read only on request. */
type Extras = Pick<TreeRequest, 'includeActions' | 'includeIdentifiers'>;

/**
 * Reads details that only some elements have, in the batch that reads the tree. Interfaces are read first, because ATK
 * applications log a critical warning for each call to an interface that an object lacks.
 */
export class DetailReader {
  private readonly application: Application;
  private readonly channel: Channel;
  private readonly batch: Batch;
  private readonly extras: Extras;
  private readonly undecided: RawNode[] = [];
  private readonly labels = new Map<string, string>();

  constructor(application: Application, channel: Channel, batch: Batch, extras: Extras) {
    this.application = application;
    this.channel = channel;
    this.batch = batch;
    this.extras = extras;
  }

  request(node: RawNode): void {
    const { application, channel, batch } = this;
    const { includeActions, includeIdentifiers = false } = this.extras;
    const role = mapRole(node.nativeRole, node.states);
    if (isNameless(application, node)) node.name = '';
    const isLeaf = node.children.length === 0;
    const wantsText = TEXTUAL.has(role) || (isLeaf && node.name === '' && NAMELESS_TEXT.has(role));
    requestLabel(application, channel, batch, node, role);
    if (application.traits.labelsNameTargets && node.nativeRole === NATIVE.LABEL && role === 'text')
      this.requestTargets(node);
    if (includeIdentifiers) requestIdentifier(application, channel, batch, node);
    if (!NUMERIC.has(role) && !wantsText && !includeActions) return;
    const choose = (): void => {
      if (role === 'combobox') this.undecided.push(node);
    };
    withInterfaces(channel, batch, node, (interfaces) => {
      if (NUMERIC.has(role) && (interfaces & IMPLEMENTS.VALUE) !== 0) requestNumber(channel, batch, node);
      else if (wantsText && (interfaces & IMPLEMENTS.TEXT) !== 0)
        requestText(application, channel, batch, node, choose);
      else choose();
      if (includeActions && (interfaces & IMPLEMENTS.ACTION) !== 0)
        requestActions(application, channel, batch, node);
    });
  }

  /** The value of a combo box without text is the option selected inside it: read once the tree is known, in a separate batch. */
  requestChoices(batch: Batch): void {
    for (const combobox of this.undecided) {
      combobox.labelledBy ??= this.labels.get(combobox.path);
      requestChoice(this.channel, batch, combobox);
    }
  }

  private requestTargets(label: RawNode): void {
    this.batch.request(this.channel.templates.relations, label.path, (_error, relations) => {
      const targets = relations?.find((relation) => relation.type === 'label_for')?.targets ?? [];
      for (const { path } of targets) this.labels.set(path, label.name);
    });
  }
}

/** GTK 4 names an unnamed widget after its type, and every tab "Tab", with its title on a label inside. */
function isNameless(application: Application, { name, nativeRole }: RawNode): boolean {
  if (!application.traits.namesAreTypeNames) return false;
  return /^(Gtk|Gdk|Adw|Gsk|Gedit|Editor)[A-Z]\w*$/.test(name) || name === ANONYMOUS[nativeRole];
}

const ANONYMOUS: Readonly<Record<number, string>> = {
  [NATIVE.PAGE_TAB]: 'Tab',
  [NATIVE.PAGE_TAB_LIST]: 'Tab list',
};

function withInterfaces(
  channel: Channel,
  batch: Batch,
  node: RawNode,
  use: (interfaces: number) => void,
): void {
  if (node.interfaces !== undefined) {
    use(node.interfaces);
    return;
  }
  batch.request(channel.templates.interfaces, node.path, (_error, names) => {
    if (!names) return;
    node.interfaces = interfaceSet(names);
    use(node.interfaces);
  });
}

function requestLabel(
  application: Application,
  channel: Channel,
  batch: Batch,
  node: RawNode,
  role: Role,
): void {
  if (!isInteractive(role) && !LABELLED.has(role)) return;
  const { namesAreComputed } = application.traits;
  if (node.name === '') requestDescription(channel, batch, node);
  else if (role !== 'combobox' || namesAreComputed) return;
  if (!namesAreComputed && !NAMED_BY_CONTENT.has(role)) requestRelation(channel, batch, node);
  if (role === 'textbox' && node.name === '') requestPlaceholder(channel, batch, node);
}

/** Toolkits have a property for it, web pages an attribute. Qt 5 warns about an unknown property. */
function requestIdentifier(application: Application, channel: Channel, batch: Batch, node: RawNode): void {
  const { identifier, attributes } = channel.templates;
  const keep = (found: string | undefined): void => {
    if (found) node.identifier ??= found;
  };
  if (application.traits.kind !== 'qt') batch.request(identifier, node.path, (_error, found) => keep(found));
  batch.request(attributes, node.path, (_error, found) => keep(found?.get('id')));
}

/** A field whose only hint is its placeholder: GTK has it only as an attribute. */
function requestPlaceholder(channel: Channel, batch: Batch, node: RawNode): void {
  batch.request(channel.templates.attributes, node.path, (_error, attributes) => {
    const placeholder = attributes?.get('placeholder-text');
    if (placeholder) node.description ??= placeholder;
  });
}

function requestDescription(channel: Channel, batch: Batch, node: RawNode): void {
  if (node.cachedDescription !== undefined) {
    if (node.cachedDescription !== '') node.description = node.cachedDescription;
    return;
  }
  batch.request(channel.templates.description, node.path, (_error, description) => {
    if (description) node.description = description;
  });
}

function requestRelation(channel: Channel, batch: Batch, node: RawNode): void {
  const { templates } = channel;
  batch.request(templates.relations, node.path, (_error, relations) => {
    const label = relations?.find((relation) => relation.type === 'labelled_by')?.targets[0];
    if (!label) return;
    batch.request(templates.name, label.path, (_labelError, name) => {
      if (name) node.labelledBy = name;
    });
  });
}

function requestNumber(channel: Channel, batch: Batch, node: RawNode): void {
  batch.request(channel.templates.value, node.path, (_error, value) => {
    if (value !== undefined && Number.isFinite(value)) node.value = formatNumber(value);
  });
}

/** Toolkits return 0.30000000000000004 for 0.3. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** The end offset -1 ("all") returns nothing in GTK 4, a large one nothing in Qt: read the count, then exactly that much. */
function requestText(
  application: Application,
  channel: Channel,
  batch: Batch,
  node: RawNode,
  otherwise: () => void,
): void {
  batch.request(channel.templates.characterCount, node.path, (_error, count) => {
    if (count === undefined) return;
    if (count <= 0) {
      node.value = '';
      return;
    }
    const end = Math.min(count, MAX_TEXT_CHARACTERS);
    batch.request(channel.templates.text(0, end), node.path, (_textError, reported) => {
      if (reported === undefined) return;
      const text = restoreHidden(application.traits, reported, end);
      if (!isOnlyEmbeddedObjects(text)) node.value = count > end ? `${text}…` : text;
      else otherwise();
    });
  });
}

/** No real widget has more actions. */
const MAX_ACTIONS = 32;

function requestActions(application: Application, channel: Channel, batch: Batch, node: RawNode): void {
  const { templates } = channel;
  if (application.traits.actionListHasNames) {
    batch.request(templates.actionNames, node.path, (_error, names) => {
      if (names) node.actions = names.slice(0, MAX_ACTIONS);
    });
    return;
  }
  batch.request(templates.actionCount, node.path, (_error, count) => {
    if (count === undefined) return;
    const names: string[] = [];
    node.actions = names;
    for (let index = 0; index < Math.min(count, MAX_ACTIONS); index++) {
      batch.request(templates.actionName(index), node.path, (_nameError, name) => {
        names[index] = name ?? '';
      });
    }
  });
}
