import { INTERFACE, NULL_PATH, ROOT_PATH } from '../atspi/tree/names.ts';
import { nativeRoleName } from '../atspi/tree/roles.ts';
import type { Extents, ObjectReference } from '../atspi/tree/object-facts.ts';
import { BusError, Variant, type BusValue, type MethodCallMessage, type MethodReply } from '../dbus/index.ts';

/** One object exported on the accessibility bus. */
export interface ExportedObject {
  readonly nativeRole: number;
  readonly name: string;
  /** Bit numbers. */
  readonly states: readonly number[];
  readonly parent: ObjectReference;
  readonly indexInParent: () => number;
  readonly children: () => readonly ObjectReference[];
  /** The ChildCount property. */
  readonly childCount: number;
  /** Without their prefix: `Component`. */
  readonly interfaces: readonly string[];
  /** Names of its actions. */
  readonly actions: readonly string[];
  readonly toolkit: string;
  /** On the screen, or in its window. */
  extents(isInWindow: boolean): Extents | Promise<Extents>;
  perform(action: number): boolean;
}

const WINDOW_COORDINATES = 1;
const PREFIX = 'org.a11y.atspi.';

type Reply = (
  object: ExportedObject,
  call: MethodCallMessage,
  busName: string,
) => MethodReply | Promise<MethodReply>;

const METHODS: Readonly<Record<string, Reply>> = {
  GetChildren: (object) => one('a(so)', object.children().map(pair)),
  GetChildAtIndex: (object, { body: [index] }) =>
    one('(so)', pair(object.children()[Number(index)] ?? { bus: '', path: NULL_PATH })),
  GetIndexInParent: (object) => one('i', object.indexInParent()),
  GetRole: (object) => one('u', object.nativeRole),
  GetRoleName: (object) => one('s', nativeRoleName(object.nativeRole)),
  GetLocalizedRoleName: (object) => one('s', nativeRoleName(object.nativeRole)),
  GetState: (object) => one('au', stateWords(object.states)),
  GetAttributes: () => one('a{ss}', new Map()),
  GetRelationSet: () => one('a(ua(so))', []),
  GetInterfaces: (object) =>
    one(
      'as',
      object.interfaces.map((name) => `${PREFIX}${name}`),
    ),
  GetApplication: (_object, _call, busName) => one('(so)', [busName, ROOT_PATH]),
  GetExtents: async (object, { body: [coordinates] }) => {
    const { x, y, width, height } = await object.extents(Number(coordinates) === WINDOW_COORDINATES);
    return one('(iiii)', [x, y, width, height]);
  },
  GetActions: (object) =>
    one(
      'a(sss)',
      object.actions.map((name) => [name, '', '']),
    ),
  GetName: (object, { body: [index] }) => one('s', object.actions[Number(index)] ?? ''),
  DoAction: (object, { body: [index] }) => one('b', object.perform(Number(index))),
};

const PROPERTIES: Readonly<Record<string, (object: ExportedObject) => Variant>> = {
  Name: (object) => new Variant('s', object.name),
  Description: () => new Variant('s', ''),
  Locale: () => new Variant('s', ''),
  AccessibleId: () => new Variant('s', ''),
  ChildCount: (object) => new Variant('i', object.childCount),
  Parent: (object) => new Variant('(so)', pair(object.parent)),
  ToolkitName: (object) => new Variant('s', object.toolkit),
  Version: () => new Variant('s', '2.1'),
  AtspiVersion: () => new Variant('s', '2.1'),
  Id: () => new Variant('i', 0),
  NActions: (object) => new Variant('i', object.actions.length),
};

/** Replies to calls of the Accessible, Application, Component and Action interfaces. @throws BusError for unknown methods */
export async function replyAccessible(
  call: MethodCallMessage,
  object: ExportedObject,
  busName: string,
): Promise<MethodReply> {
  const property = propertyOf(call);
  if (property !== undefined) {
    const value = own(PROPERTIES, property)?.(object);
    if (value !== undefined) return one('v', value);
    throw new BusError('org.freedesktop.DBus.Error.UnknownProperty', `no property ${property}`);
  }
  const reply = own(METHODS, call.member);
  if (reply !== undefined) return reply(object, call, busName);
  throw new BusError('org.freedesktop.DBus.Error.UnknownMethod', `no method ${call.member}`);
}

/** The property that a call of `Get` requests. */
export function propertyOf(call: MethodCallMessage): string | undefined {
  const name = call.member === 'Get' && call.interface === INTERFACE.PROPERTIES ? call.body[1] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The names come from other clients, so inherited ones such as `constructor` do not count. */
function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A reply with one value. */
export function one(signature: string, value: BusValue): MethodReply {
  return { signature, values: [value] };
}

function pair({ bus, path }: ObjectReference): BusValue[] {
  return [bus, path];
}

function stateWords(states: readonly number[]): number[] {
  const words = [0, 0];
  for (const state of states) {
    const word = state < 32 ? 0 : 1;
    words[word] = ((words[word] ?? 0) | (1 << (state % 32))) >>> 0;
  }
  return words;
}
