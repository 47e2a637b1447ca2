import { CallTemplate, type BodyReader } from '../../dbus/index.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { decodeCacheItems, readArray, readStateBits } from './cache-items.ts';
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
  return readArray(reader, 8, readReference);
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
        suggestion:
          'Report this to the developers of the application: its accessibility support violates AT-SPI.',
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

const string = (reader: BodyReader): string => reader.readString();
const int32 = (reader: BodyReader): number => reader.readInt32();

export type ReadingTemplates = ReturnType<typeof readingTemplates>;

/** All read calls, prepared once per destination; `undefined` for a private bus. */
export function readingTemplates(destination: string | undefined) {
  const method = <T>(
    interfaceName: string,
    member: string,
    reply: string,
    decode: (reader: BodyReader) => T,
    signature?: string,
    args?: readonly number[],
  ): CallTemplate<T> =>
    new CallTemplate({
      destination,
      interface: interfaceName,
      member,
      signature,
      args,
      accepts: [reply],
      decode,
    });
  const property = <T>(
    interfaceName: string,
    name: string,
    decode: (reader: BodyReader) => T,
  ): CallTemplate<T> =>
    new CallTemplate({
      destination,
      interface: INTERFACE.PROPERTIES,
      member: 'Get',
      signature: 'ss',
      args: [interfaceName, name],
      accepts: ['v'],
      decode,
    });
  const extents = (coordinateType: number): CallTemplate<Extents> =>
    method(INTERFACE.COMPONENT, 'GetExtents', '(iiii)', readExtents, 'u', [coordinateType]);
  const actionNameByIndex = new Map<number, CallTemplate<string>>();
  return {
    state: method(INTERFACE.ACCESSIBLE, 'GetState', 'au', readStateBits),
    role: method(INTERFACE.ACCESSIBLE, 'GetRole', 'u', (reader) => reader.readUint32()),
    children: method(INTERFACE.ACCESSIBLE, 'GetChildren', 'a(so)', readReferences),
    interfaces: method(INTERFACE.ACCESSIBLE, 'GetInterfaces', 'as', readStrings),
    relations: method(INTERFACE.ACCESSIBLE, 'GetRelationSet', 'a(ua(so))', readRelations),
    attributes: method(INTERFACE.ACCESSIBLE, 'GetAttributes', 'a{ss}', readAttributes),
    indexInParent: method(INTERFACE.ACCESSIBLE, 'GetIndexInParent', 'i', int32),
    name: property(INTERFACE.ACCESSIBLE, 'Name', stringVariant),
    description: property(INTERFACE.ACCESSIBLE, 'Description', stringVariant),
    identifier: property(INTERFACE.ACCESSIBLE, 'AccessibleId', stringVariant),
    childCount: property(INTERFACE.ACCESSIBLE, 'ChildCount', integerVariant),
    parent: property(INTERFACE.ACCESSIBLE, 'Parent', referenceVariant),
    toolkitName: property(INTERFACE.APPLICATION, 'ToolkitName', stringVariant),
    toolkitVersion: property(INTERFACE.APPLICATION, 'Version', stringVariant),
    busAddress: method(INTERFACE.APPLICATION, 'GetApplicationBusAddress', 's', string),
    screenExtents: extents(0),
    windowExtents: extents(1),
    actionCount: property(INTERFACE.ACTION, 'NActions', integerVariant),
    actionNames: method(INTERFACE.ACTION, 'GetActions', 'a(sss)', readActionNames),
    cacheItems: new CallTemplate({
      destination,
      interface: INTERFACE.CACHE,
      member: 'GetItems',
      accepts: ['a((so)(so)(so)iiassusau)', 'a((so)(so)(so)a(so)assusau)'],
      decode: decodeCacheItems,
    }),
    value: property(INTERFACE.VALUE, 'CurrentValue', numberVariant),
    characterCount: property(INTERFACE.TEXT, 'CharacterCount', integerVariant),
    selectedCount: property(INTERFACE.SELECTION, 'NSelectedChildren', integerVariant),
    selectedChild: method(INTERFACE.SELECTION, 'GetSelectedChild', '(so)', readReference, 'i', [0]),
    columnCount: property(INTERFACE.TABLE, 'NColumns', integerVariant),

    /** Name of one action; unlike GetActions it is not localised, and it works in Chromium and Firefox. */
    actionName(index: number): CallTemplate<string> {
      const known = actionNameByIndex.get(index);
      if (known) return known;
      const template = method(INTERFACE.ACTION, 'GetName', 's', string, 'i', [index]);
      actionNameByIndex.set(index, template);
      return template;
    },

    text: (start: number, end: number): CallTemplate<string> =>
      method(INTERFACE.TEXT, 'GetText', 's', readText, 'ii', [start, end]),

    cellAt: (row: number, column: number): CallTemplate<ObjectReference> =>
      method(INTERFACE.TABLE, 'GetAccessibleAt', '(so)', readReference, 'ii', [row, column]),

    /** @param coordinateType 0 for the screen, 1 for the window */
    elementAtPoint: (x: number, y: number, coordinateType: 0 | 1 = 0): CallTemplate<ObjectReference> =>
      method(INTERFACE.COMPONENT, 'GetAccessibleAtPoint', '(so)', readReference, 'iiu', [
        x,
        y,
        coordinateType,
      ]),
  };
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
  return readArray(reader, 8, () => {
    reader.align(8);
    const type = reader.readUint32();
    return { type: RELATIONS[type] ?? `relation ${type}`, targets: readReferences(reader) };
  });
}

function readAttributes(reader: BodyReader): Map<string, string> {
  const entries = readArray(reader, 8, (): [string, string] => {
    reader.align(8);
    return [reader.readString(), clip(reader.readString())];
  });
  return new Map(entries);
}

function readActionNames(reader: BodyReader): string[] {
  return readArray(reader, 8, () => {
    reader.align(8);
    const name = reader.readString();
    reader.skipString();
    reader.skipString();
    return name;
  });
}

function readStrings(reader: BodyReader): string[] {
  return readArray(reader, 4, string);
}

function readText(reader: BodyReader): string {
  return withoutPadding(clip(reader.readString()));
}
