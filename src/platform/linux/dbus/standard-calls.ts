import { CallTemplate } from './marshalling/call-template.ts';
import { decodeVariant } from './marshalling/decode.ts';
import type { Call } from './prepared-call.ts';
import type { BusValue, Variant } from './marshalling/value.ts';

/** The message bus itself (specification, "Message Bus Specification"). */
export const BUS = {
  name: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

const PROPERTIES = 'org.freedesktop.DBus.Properties';

/** A method of the bus that takes one string. */
const BUS_METHOD = { destination: BUS.name, interface: BUS.interface, signature: 's' } as const;

const ignore = (): void => {};

/** AddMatch or RemoveMatch. */
export function matchCall(member: 'AddMatch' | 'RemoveMatch', rule: string): CallTemplate<void> {
  return new CallTemplate({ ...BUS_METHOD, member, args: [rule], accepts: [''], decode: ignore });
}

/** Hello: registers us with the bus, which replies with our unique name. */
export const HELLO = new CallTemplate({
  destination: BUS.name,
  interface: BUS.interface,
  member: 'Hello',
  accepts: ['s'],
  decode: (reader) => reader.readString(),
});

/** BecomeMonitor: the bus sends us copies of what matches, and accepts nothing from us any more. */
export function monitorCall(rules: readonly string[]): Call {
  return {
    destination: BUS.name,
    path: BUS.path,
    interface: 'org.freedesktop.DBus.Monitoring',
    member: 'BecomeMonitor',
    signature: 'asu',
    args: [[...rules], 0],
  };
}

/** GetNameOwner: the unique name behind a bus name; an error reply if there is none. */
export function nameOwnerCall(name: string): CallTemplate<string> {
  const call = { ...BUS_METHOD, member: 'GetNameOwner', args: [name] };
  return new CallTemplate({ ...call, accepts: ['s'], decode: (reader) => reader.readString() });
}

/** Properties.Get. Never GetAll: it crashes Qt applications. */
export function getPropertyCall(
  destination: string | undefined,
  iface: string,
  name: string,
): CallTemplate<BusValue> {
  return new CallTemplate({
    destination,
    interface: PROPERTIES,
    member: 'Get',
    signature: 'ss',
    args: [iface, name],
    accepts: ['v'],
    decode: (reader) => decodeVariant(reader).value,
  });
}

/** Properties.Set. */
export function setPropertyCall(
  destination: string | undefined,
  iface: string,
  name: string,
  value: Variant,
): CallTemplate<void> {
  return new CallTemplate({
    destination,
    interface: PROPERTIES,
    member: 'Set',
    signature: 'ssv',
    args: [iface, name, value],
    accepts: [''],
    decode: ignore,
  });
}
