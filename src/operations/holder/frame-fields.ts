import type { Confinement } from '../../model/tools/confinement.ts';
import { FrameError, isRecord } from './line-frames.ts';
import type { Parsed } from './line-frames.ts';

/* Each gives what stands in a field of a frame. @throws FrameError where that is not what it must be */

export function confinement(frame: Parsed): Confinement {
  return {
    by: oneOf(frame, 'by', ['landlock', 'bubblewrap', 'none']),
    scope: text(frame, 'scope'),
    read: list(frame, 'read', asText),
    write: list(frame, 'write', asText),
    network: flag(frame, 'network'),
    unixSockets: flag(frame, 'unixSockets'),
    denyReport: flag(frame, 'denyReport'),
  };
}

export function environment(frame: Parsed): Record<string, string> {
  return Object.fromEntries(Object.entries(frame).map(([name, value]) => [name, asText(value)]));
}

export function record(frame: Parsed, key: string): Parsed {
  const value = frame[key];
  if (!isRecord(value)) throw wrong(key);
  return value;
}

export function list<T>(frame: Parsed, key: string, parse: (value: unknown) => T): T[] {
  const value = frame[key];
  if (!Array.isArray(value)) throw wrong(key);
  return value.map((each: unknown) => parse(each));
}

export function text(frame: Parsed, key: string): string {
  const value = frame[key];
  if (typeof value !== 'string') throw wrong(key);
  return value;
}

export function asText(value: unknown): string {
  if (typeof value !== 'string') throw wrong('a list');
  return value;
}

export function flag(frame: Parsed, key: string): boolean {
  const value = frame[key];
  if (typeof value !== 'boolean') throw wrong(key);
  return value;
}

/** A whole number from 0 on. */
export function integer(frame: Parsed, key: string): number {
  const value = frame[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrong(key);
  return value;
}

export function oneOf<T extends string>(frame: Parsed, key: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === frame[key]);
  if (found === undefined) throw wrong(key);
  return found;
}

export function optional<T>(
  frame: Parsed,
  key: string,
  parse: (frame: Parsed, key: string) => T,
): T | undefined {
  return frame[key] === undefined ? undefined : parse(frame, key);
}

export function wrong(key: string): FrameError {
  return new FrameError(`${key} is not what it must be`);
}
