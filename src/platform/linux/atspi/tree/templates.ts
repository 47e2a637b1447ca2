import type { BodyReader } from '../../dbus/index.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { slotOf, textSlot } from '../mirror/known-object.ts';
import { ReadingCall } from '../mirror/reading-call.ts';
import { decodeCacheItems, readArray, readInterfaces, readStateBits } from './cache-items.ts';
import { INTERFACE } from './names.ts';
import type { Extents, ObjectReference, Relation } from './object-facts.ts';
import { withoutPadding } from './text.ts';

/** Few elements have more. Indexes come from applications, so that not all of them can be kept. */
const KEPT_ACTION_NAMES = 32;

/** A name from a hostile application may be megabytes long; no interface needs more than this. */
const MAX_STRING = 100_000;

function clip(text: string): string {
  return text.length > MAX_STRING ? `${text.slice(0, MAX_STRING)}…` : text;
}

export function readReference(reader: BodyReader): ObjectReference {
  reader.align(8);
  return { bus: reader.readString(), path: reader.readString() };
}

function readReferences(reader: BodyReader): readonly ObjectReference[] {
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
  ): ReadingCall<T> =>
    new ReadingCall({
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
  ): ReadingCall<T> =>
    new ReadingCall({
      destination,
      interface: INTERFACE.PROPERTIES,
      member: 'Get',
      signature: 'ss',
      args: [interfaceName, name],
      accepts: ['v'],
      decode,
    });
  const extents = (coordinateType: number): ReadingCall<Extents> =>
    method(INTERFACE.COMPONENT, 'GetExtents', '(iiii)', readExtents, 'u', [coordinateType]);
  const actionNameByIndex = new Map<number, ReadingCall<string>>();
  return {
    state: method(INTERFACE.ACCESSIBLE, 'GetState', 'au', readStateBits).keptIn(slotOf('state')),
    role: method(INTERFACE.ACCESSIBLE, 'GetRole', 'u', (reader) => reader.readUint32()).keptIn(
      slotOf('role'),
    ),
    children: method(INTERFACE.ACCESSIBLE, 'GetChildren', 'a(so)', readReferences).keptIn(slotOf('children')),
    interfaces: method(INTERFACE.ACCESSIBLE, 'GetInterfaces', 'as', readInterfaces).keptIn(
      slotOf('interfaces'),
    ),
    interfaceNames: method(INTERFACE.ACCESSIBLE, 'GetInterfaces', 'as', readStrings),
    relations: method(INTERFACE.ACCESSIBLE, 'GetRelationSet', 'a(ua(so))', readRelations).keptIn(
      slotOf('relations'),
    ),
    attributes: method(INTERFACE.ACCESSIBLE, 'GetAttributes', 'a{ss}', readAttributes).keptIn(
      slotOf('attributes'),
    ),
    indexInParent: method(INTERFACE.ACCESSIBLE, 'GetIndexInParent', 'i', int32),
    name: property(INTERFACE.ACCESSIBLE, 'Name', stringVariant).keptIn(slotOf('name')),
    description: property(INTERFACE.ACCESSIBLE, 'Description', stringVariant).keptIn(slotOf('description')),
    identifier: property(INTERFACE.ACCESSIBLE, 'AccessibleId', stringVariant).keptIn(slotOf('identifier')),
    childCount: property(INTERFACE.ACCESSIBLE, 'ChildCount', integerVariant).keptIn(slotOf('childCount')),
    parent: property(INTERFACE.ACCESSIBLE, 'Parent', referenceVariant),
    toolkitName: property(INTERFACE.APPLICATION, 'ToolkitName', stringVariant),
    toolkitVersion: property(INTERFACE.APPLICATION, 'Version', stringVariant),
    busAddress: method(INTERFACE.APPLICATION, 'GetApplicationBusAddress', 's', string),
    screenExtents: extents(0).keptIn(slotOf('screenExtents')),
    windowExtents: extents(1).keptIn(slotOf('windowExtents')),
    actionCount: property(INTERFACE.ACTION, 'NActions', integerVariant).keptIn(slotOf('actionCount')),
    actionNames: method(INTERFACE.ACTION, 'GetActions', 'a(sss)', readActionNames).keptIn(
      slotOf('actionNames'),
    ),
    cacheItems: new ReadingCall({
      destination,
      interface: INTERFACE.CACHE,
      member: 'GetItems',
      accepts: ['a((so)(so)(so)iiassusau)', 'a((so)(so)(so)a(so)assusau)'],
      decode: decodeCacheItems,
    }),
    value: property(INTERFACE.VALUE, 'CurrentValue', numberVariant).keptIn(slotOf('value')),
    characterCount: property(INTERFACE.TEXT, 'CharacterCount', integerVariant).keptIn(
      slotOf('characterCount'),
    ),
    selectedCount: property(INTERFACE.SELECTION, 'NSelectedChildren', integerVariant).keptIn(
      slotOf('selectedCount'),
    ),
    selectedChild: method(INTERFACE.SELECTION, 'GetSelectedChild', '(so)', readReference, 'i', [0]).keptIn(
      slotOf('selectedChild'),
    ),
    columnCount: property(INTERFACE.TABLE, 'NColumns', integerVariant),
    rowCount: property(INTERFACE.TABLE, 'NRows', integerVariant),

    /** Of the first action, which presses it. */
    keyBinding: method(INTERFACE.ACTION, 'GetKeyBinding', 's', string, 'i', [0]),
    /** Name of one action; unlike GetActions it is not localised, and it works in Chromium and Firefox. */
    actionName(index: number): ReadingCall<string> {
      const known = actionNameByIndex.get(index);
      if (known) return known;
      const template = method(INTERFACE.ACTION, 'GetName', 's', string, 'i', [index]);
      if (index < KEPT_ACTION_NAMES) actionNameByIndex.set(index, template);
      return template;
    },

    text: (start: number, end: number): ReadingCall<string> =>
      method(INTERFACE.TEXT, 'GetText', 's', readText, 'ii', [start, end]).keptIn(
        start === 0 ? textSlot(end) : undefined,
      ),

    cellAt: (row: number, column: number): ReadingCall<ObjectReference> =>
      method(INTERFACE.TABLE, 'GetAccessibleAt', '(so)', readReference, 'ii', [row, column]),

    /**
     * Whether an element contains a point.
     * @param coordinateType 0 for the screen, 1 for the window
     */
    contains: (x: number, y: number, coordinateType: 0 | 1 = 0): ReadingCall<boolean> =>
      method(INTERFACE.COMPONENT, 'Contains', 'b', (reader) => reader.readBoolean(), 'iiu', [
        x,
        y,
        coordinateType,
      ]),

    /** @param coordinateType 0 for the screen, 1 for the window */
    elementAtPoint: (x: number, y: number, coordinateType: 0 | 1 = 0): ReadingCall<ObjectReference> =>
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

function readRelations(reader: BodyReader): readonly Relation[] {
  return readArray(reader, 8, () => {
    reader.align(8);
    const type = reader.readUint32();
    return { type: RELATIONS[type] ?? `relation ${type}`, targets: readReferences(reader) };
  });
}

function readAttributes(reader: BodyReader): ReadonlyMap<string, string> {
  const entries = readArray(reader, 8, (): [string, string] => {
    reader.align(8);
    return [reader.readString(), clip(reader.readString())];
  });
  return new Map(entries);
}

function readActionNames(reader: BodyReader): readonly string[] {
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

let ofPeers: ReadingTemplates | undefined;

/** For connections to an application's own bus, where calls have no destination; the same for all of them. */
export function peerTemplates(): ReadingTemplates {
  ofPeers ??= readingTemplates(undefined);
  return ofPeers;
}
