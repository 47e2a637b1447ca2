import { CallTemplate } from '../../dbus/index.ts';
import type { BodyReader } from '../../dbus/index.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { decodeCacheItems, readStateBits } from './cache-items.ts';
import type { CacheItem } from './cache-items.ts';
import { INTERFACE } from './names.ts';
import { withoutPadding } from './text.ts';

/** An object on D-Bus: the owner's bus name and the path. */
export interface ObjectReference {
  readonly bus: string;
  readonly path: string;
}

export interface Extents {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A name from a hostile application may be megabytes long; no interface needs more than this. */
const MAX_STRING = 100_000;

function clip(text: string): string {
  return text.length > MAX_STRING ? `${text.slice(0, MAX_STRING)}…` : text;
}

export function readReference(reader: BodyReader): ObjectReference {
  reader.align(8);
  return { bus: reader.readString(), path: reader.readString() };
}

function readReferences(reader: BodyReader): ObjectReference[] {
  const bytes = reader.readUint32();
  reader.align(8);
  const end = reader.offset + bytes;
  const references: ObjectReference[] = [];
  while (reader.offset < end) references.push(readReference(reader));
  return references;
}

function readStrings(reader: BodyReader): string[] {
  const bytes = reader.readUint32();
  const end = reader.offset + bytes;
  const strings: string[] = [];
  while (reader.offset < end) strings.push(reader.readString());
  return strings;
}

function readExtents(reader: BodyReader): Extents {
  reader.align(8);
  return {
    x: reader.readInt32(),
    y: reader.readInt32(),
    width: reader.readInt32(),
    height: reader.readInt32(),
  };
}

/** Reads a variant of one of the accepted types; toolkits disagree about int and double, so numbers accept both. */
function variantOf<T>(
  accepted: Readonly<Record<string, (reader: BodyReader) => T>>,
): (reader: BodyReader) => T {
  return (reader) => {
    const signature = reader.readSignature();
    const read = accepted[signature];
    if (!read) {
      throw new DeskterityError('INTERNAL', `The application returned a property of type ${signature}.`, {
        suggestion: 'Report this to the application; its accessibility support does not follow AT-SPI.',
      });
    }
    return read(reader);
  };
}

const stringVariant = variantOf({
  s: (reader) => clip(reader.readString()),
  o: (reader) => reader.readString(),
});
const integerVariant = variantOf({ i: (reader) => reader.readInt32(), u: (reader) => reader.readUint32() });
const numberVariant = variantOf({
  d: (reader) => reader.readDouble(),
  i: (reader) => reader.readInt32(),
  u: (reader) => reader.readUint32(),
});
const referenceVariant = variantOf({ '(so)': readReference });

/** All read calls, prepared once per destination; `undefined` for a private bus. */
export class ReadingTemplates {
  readonly state;
  readonly role;
  readonly name;
  readonly description;
  readonly identifier;
  readonly childCount;
  readonly parent;
  readonly children;
  readonly interfaces;
  readonly screenExtents;
  readonly windowExtents;
  readonly relations;
  readonly attributes;
  readonly actionCount;
  readonly actionNames;
  readonly cacheItems;
  readonly value;
  readonly characterCount;
  readonly toolkitName;
  readonly toolkitVersion;
  readonly busAddress;
  readonly selectedCount;
  readonly selectedChild;
  readonly rowCount;
  readonly columnCount;
  readonly indexInParent;
  private readonly destination: string | undefined;
  private readonly actionNameByIndex = new Map<number, CallTemplate<string>>();

  constructor(destination: string | undefined) {
    this.destination = destination;
    this.state = this.method(INTERFACE.ACCESSIBLE, 'GetState', 'au', readStateBits);
    this.role = this.method(INTERFACE.ACCESSIBLE, 'GetRole', 'u', (reader) => reader.readUint32());
    this.children = this.method(INTERFACE.ACCESSIBLE, 'GetChildren', 'a(so)', readReferences);
    this.interfaces = this.method(INTERFACE.ACCESSIBLE, 'GetInterfaces', 'as', readStrings);
    this.relations = this.method(INTERFACE.ACCESSIBLE, 'GetRelationSet', 'a(ua(so))', readRelations);
    this.attributes = this.method(INTERFACE.ACCESSIBLE, 'GetAttributes', 'a{ss}', readAttributes);
    this.indexInParent = this.method(INTERFACE.ACCESSIBLE, 'GetIndexInParent', 'i', (reader) =>
      reader.readInt32(),
    );
    this.name = this.property(INTERFACE.ACCESSIBLE, 'Name', stringVariant);
    this.description = this.property(INTERFACE.ACCESSIBLE, 'Description', stringVariant);
    this.identifier = this.property(INTERFACE.ACCESSIBLE, 'AccessibleId', stringVariant);
    this.childCount = this.property(INTERFACE.ACCESSIBLE, 'ChildCount', integerVariant);
    this.parent = this.property(INTERFACE.ACCESSIBLE, 'Parent', referenceVariant);
    this.toolkitName = this.property(INTERFACE.APPLICATION, 'ToolkitName', stringVariant);
    this.toolkitVersion = this.property(INTERFACE.APPLICATION, 'Version', stringVariant);
    this.busAddress = this.method(INTERFACE.APPLICATION, 'GetApplicationBusAddress', 's', (reader) =>
      reader.readString(),
    );
    this.screenExtents = this.extents(0);
    this.windowExtents = this.extents(1);
    this.actionCount = this.property(INTERFACE.ACTION, 'NActions', integerVariant);
    this.actionNames = this.method(INTERFACE.ACTION, 'GetActions', 'a(sss)', readActionNames);
    this.cacheItems = new CallTemplate<CacheItem[]>({
      ...this.to(),
      interface: INTERFACE.CACHE,
      member: 'GetItems',
      accepts: ['a((so)(so)(so)iiassusau)', 'a((so)(so)(so)a(so)assusau)'],
      decode: decodeCacheItems,
    });
    this.value = this.property(INTERFACE.VALUE, 'CurrentValue', numberVariant);
    this.characterCount = this.property(INTERFACE.TEXT, 'CharacterCount', integerVariant);
    this.selectedCount = this.property(INTERFACE.SELECTION, 'NSelectedChildren', integerVariant);
    this.selectedChild = this.method(
      INTERFACE.SELECTION,
      'GetSelectedChild',
      '(so)',
      readReference,
      'i',
      [0],
    );
    this.rowCount = this.property(INTERFACE.TABLE, 'NRows', integerVariant);
    this.columnCount = this.property(INTERFACE.TABLE, 'NColumns', integerVariant);
  }

  /** Name of one action; unlike GetActions it is not localised, and it works in Chromium and Firefox. */
  actionName(index: number): CallTemplate<string> {
    let template = this.actionNameByIndex.get(index);
    if (!template) {
      template = this.method(INTERFACE.ACTION, 'GetName', 's', (reader) => reader.readString(), 'i', [index]);
      this.actionNameByIndex.set(index, template);
    }
    return template;
  }

  text(start: number, end: number): CallTemplate<string> {
    return this.method(
      INTERFACE.TEXT,
      'GetText',
      's',
      (reader) => withoutPadding(clip(reader.readString())),
      'ii',
      [start, end],
    );
  }

  cellAt(row: number, column: number): CallTemplate<ObjectReference> {
    return this.method(INTERFACE.TABLE, 'GetAccessibleAt', '(so)', readReference, 'ii', [row, column]);
  }

  /** @param coordinateType 0 for the screen, 1 for the window */
  elementAtPoint(x: number, y: number, coordinateType: 0 | 1 = 0): CallTemplate<ObjectReference> {
    const args = [x, y, coordinateType];
    return this.method(INTERFACE.COMPONENT, 'GetAccessibleAtPoint', '(so)', readReference, 'iiu', args);
  }

  private extents(coordinateType: number): CallTemplate<Extents> {
    return this.method(INTERFACE.COMPONENT, 'GetExtents', '(iiii)', readExtents, 'u', [coordinateType]);
  }

  private to(): { destination?: string } {
    return this.destination === undefined ? {} : { destination: this.destination };
  }

  private method<T>(
    interfaceName: string,
    member: string,
    reply: string,
    decode: (reader: BodyReader) => T,
    signature = '',
    args: readonly number[] = [],
  ): CallTemplate<T> {
    return new CallTemplate<T>({
      ...this.to(),
      interface: interfaceName,
      member,
      ...(signature === '' ? {} : { signature, args }),
      accepts: [reply],
      decode,
    });
  }

  private property<T>(
    interfaceName: string,
    name: string,
    decode: (reader: BodyReader) => T,
  ): CallTemplate<T> {
    return new CallTemplate<T>({
      ...this.to(),
      interface: INTERFACE.PROPERTIES,
      member: 'Get',
      signature: 'ss',
      args: [interfaceName, name],
      accepts: ['v'],
      decode,
    });
  }
}

/** Names by AtspiRelationType; unknown types keep their number. */
const RELATIONS: readonly string[] = [
  'null',
  'label_for',
  'labelled_by',
  'controller_for',
  'controlled_by',
  'member_of',
  'tooltip_for',
  'node_child_of',
  'node_parent_of',
  'extended',
  'flows_to',
  'flows_from',
  'subwindow_of',
  'embeds',
  'embedded_by',
  'popup_for',
  'parent_window_of',
  'description_for',
  'described_by',
  'details',
  'details_for',
  'error_message',
  'error_for',
];

export interface Relation {
  readonly type: string;
  readonly targets: readonly ObjectReference[];
}

function readRelations(reader: BodyReader): Relation[] {
  const bytes = reader.readUint32();
  reader.align(8);
  const end = reader.offset + bytes;
  const relations: Relation[] = [];
  while (reader.offset < end) {
    reader.align(8);
    const type = reader.readUint32();
    relations.push({ type: RELATIONS[type] ?? `relation ${type}`, targets: readReferences(reader) });
  }
  return relations;
}

function readAttributes(reader: BodyReader): Map<string, string> {
  const bytes = reader.readUint32();
  reader.align(8);
  const end = reader.offset + bytes;
  const attributes = new Map<string, string>();
  while (reader.offset < end) {
    reader.align(8);
    attributes.set(reader.readString(), clip(reader.readString()));
  }
  return attributes;
}

function readActionNames(reader: BodyReader): string[] {
  const bytes = reader.readUint32();
  reader.align(8);
  const end = reader.offset + bytes;
  const names: string[] = [];
  while (reader.offset < end) {
    reader.align(8);
    names.push(reader.readString());
    reader.skipString();
    reader.skipString();
  }
  return names;
}
