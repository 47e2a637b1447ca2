import { INTERFACE, NULL_PATH, ROOT_PATH } from '../atspi/tree/names.ts';
import { nativeRoleName } from '../atspi/tree/roles.ts';
import type { Extents, ObjectReference } from '../atspi/tree/templates.ts';
import { BusError, Variant } from '../dbus/index.ts';
import type { BusValue, MethodCallMessage, MethodReply } from '../dbus/index.ts';

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

/** Replies to calls of the Accessible, Application, Component and Action interfaces. @throws BusError for unknown methods */
export async function replyAccessible(
  call: MethodCallMessage,
  object: ExportedObject,
  busName: string,
): Promise<MethodReply> {
  const property = propertyOf(call);
  if (property !== undefined) return one('v', propertyValue(object, property));
  switch (call.member) {
    case 'GetChildren':
      return one('a(so)', object.children().map(pair));
    case 'GetChildAtIndex': {
      const child = object.children()[Number(call.body[0])];
      return one('(so)', pair(child ?? { bus: '', path: NULL_PATH }));
    }
    case 'GetIndexInParent':
      return one('i', object.indexInParent());
    case 'GetRole':
      return one('u', object.nativeRole);
    case 'GetRoleName':
    case 'GetLocalizedRoleName':
      return one('s', nativeRoleName(object.nativeRole));
    case 'GetState':
      return one('au', stateWords(object.states));
    case 'GetAttributes':
      return one('a{ss}', new Map());
    case 'GetRelationSet':
      return one('a(ua(so))', []);
    case 'GetInterfaces':
      return one(
        'as',
        object.interfaces.map((name) => `${PREFIX}${name}`),
      );
    case 'GetApplication':
      return one('(so)', [busName, ROOT_PATH]);
    case 'GetExtents': {
      const { x, y, width, height } = await object.extents(Number(call.body[0]) === WINDOW_COORDINATES);
      return one('(iiii)', [x, y, width, height]);
    }
    case 'GetActions':
      return one(
        'a(sss)',
        object.actions.map((name) => [name, '', '']),
      );
    case 'GetName':
      return one('s', object.actions[Number(call.body[0])] ?? '');
    case 'DoAction':
      return one('b', object.perform(Number(call.body[0])));
    default:
      throw new BusError('org.freedesktop.DBus.Error.UnknownMethod', `no method ${call.member}`);
  }
}

function propertyValue(object: ExportedObject, property: string): Variant {
  switch (property) {
    case 'Name':
      return new Variant('s', object.name);
    case 'Description':
    case 'Locale':
    case 'AccessibleId':
      return new Variant('s', '');
    case 'ChildCount':
      return new Variant('i', object.childCount);
    case 'Parent':
      return new Variant('(so)', pair(object.parent));
    case 'ToolkitName':
      return new Variant('s', object.toolkit);
    case 'Version':
    case 'AtspiVersion':
      return new Variant('s', '2.1');
    case 'Id':
      return new Variant('i', 0);
    case 'NActions':
      return new Variant('i', object.actions.length);
    default:
      throw new BusError('org.freedesktop.DBus.Error.UnknownProperty', `no property ${property}`);
  }
}

/** The property that a call of `Get` requests. */
export function propertyOf(call: MethodCallMessage): string | undefined {
  const name = call.member === 'Get' && call.interface === INTERFACE.PROPERTIES ? call.body[1] : undefined;
  return typeof name === 'string' ? name : undefined;
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
