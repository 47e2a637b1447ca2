import type { BodyReader } from './marshalling/body-reader.ts';
import { CallTemplate } from './marshalling/call-template.ts';
import { decodeBody, decodeVariant } from './marshalling/decode.ts';
import type { Call } from './prepared-call.ts';
import type { BusValue, Variant } from './marshalling/value.ts';

/** The message bus itself (specification, "Message Bus Specification"). */
export const BUS = {
  name: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

const PROPERTIES = 'org.freedesktop.DBus.Properties';

/** A call that accepts any reply. */
export function genericCall(call: Call): CallTemplate<BusValue[]> {
  return new CallTemplate({ ...call, decode: decodeBody });
}

const ignore = (): void => {};

/** A method of the bus that takes one string. */
export function busCall<T>(
  member: string,
  argument: string,
  reply: { accepts: string; decode: (reader: BodyReader) => T },
): CallTemplate<T> {
  return new CallTemplate({
    destination: BUS.name,
    interface: BUS.interface,
    member,
    signature: 's',
    args: [argument],
    accepts: [reply.accepts],
    decode: reply.decode,
  });
}

/** AddMatch or RemoveMatch. */
export function matchCall(member: 'AddMatch' | 'RemoveMatch', rule: string): CallTemplate<void> {
  return busCall(member, rule, { accepts: '', decode: ignore });
}

/** Hello: registers us with the bus, which replies with our unique name. */
export const HELLO = new CallTemplate({
  destination: BUS.name,
  interface: BUS.interface,
  member: 'Hello',
  accepts: ['s'],
  decode: (reader) => reader.readString(),
});

/** GetNameOwner: the unique name behind a bus name; an error reply if there is none. */
export function nameOwnerCall(name: string): CallTemplate<string> {
  return busCall('GetNameOwner', name, { accepts: 's', decode: (reader) => reader.readString() });
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
