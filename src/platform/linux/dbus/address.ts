import { isUtf8 } from 'node:buffer';
import { BusError } from './bus-error.ts';

/** One way to reach a bus (specification, "Server Addresses"). */
export interface BusAddress {
  /** `unix`, `tcp`, `launchd`, …; only `unix` with `path` or `abstract` can be connected to. */
  readonly transport: string;
  readonly options: ReadonlyMap<string, string>;
}

function badAddress(text: string, why: string): BusError {
  return new BusError('org.freedesktop.DBus.Error.BadAddress', `bus address ${JSON.stringify(text)}: ${why}`);
}

function unescape(value: string): string | undefined {
  const bytes = Buffer.from(value, 'utf8');
  const plain: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== 0x25) {
      plain.push(byte);
      continue;
    }
    const digits = bytes.toString('latin1', at + 1, at + 3);
    if (!/^[0-9A-Fa-f]{2}$/.test(digits)) return undefined;
    plain.push(Number.parseInt(digits, 16));
    at += 2;
  }
  const result = Buffer.from(plain);
  return isUtf8(result) && !plain.includes(0) ? result.toString('utf8') : undefined;
}

function parseOne(part: string): BusAddress {
  const colon = part.indexOf(':');
  if (colon < 1) throw badAddress(part, 'no transport');
  const options = new Map<string, string>();
  for (const pair of part.slice(colon + 1).split(',')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 1) throw badAddress(part, `${JSON.stringify(pair)} is not key=value`);
    const key = pair.slice(0, equals);
    const value = unescape(pair.slice(equals + 1));
    if (value === undefined) throw badAddress(part, `bad escape in ${key}`);
    if (options.has(key)) throw badAddress(part, `${key} is given twice`);
    options.set(key, value);
  }
  return { transport: part.slice(0, colon), options };
}

/** Parses a `;`-separated list of addresses, in order of preference; throws `org.freedesktop.DBus.Error.BadAddress`. */
export function parseAddress(text: string): BusAddress[] {
  const addresses = text
    .split(';')
    .filter((part) => part !== '')
    .map(parseOne);
  if (addresses.length === 0) throw badAddress(text, 'empty');
  return addresses;
}

/** The path for Node to connect to, or `undefined` where Node cannot reach this kind of address. */
export function socketPath(address: BusAddress): string | undefined {
  if (address.transport !== 'unix') return undefined;
  const abstract = address.options.get('abstract');
  return address.options.get('path') ?? (abstract === undefined ? undefined : `\0${abstract}`);
}
