import { describe, expect, it } from 'vitest';
import { judgeMasked } from '../../src/engine/judging/judge-masked.ts';
import type { Observation } from '../../src/engine/evidence/evidence.ts';
import type { NodeDetails } from '../../src/ports/desktop/elements.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';

const EVENT: DesktopEvent = {
  kind: 'text-changed',
  node: { app: 'a', path: '1' },
  detail: 'insert',
  atMs: 1,
};

function field(maskedLength: number | undefined): NodeDetails {
  return {
    handle: { app: 'a', path: '1' },
    role: 'textbox',
    nativeRole: 'password text',
    name: 'Password',
    states: ['protected'],
    attributes: {},
    relations: [],
    interfaces: [],
    maskedLength,
  };
}

function effectOf(
  was: number | undefined,
  is: number | undefined,
  written: string,
  isAdded: boolean,
  events = [EVENT],
): string {
  const seen: Observation = {
    outcome: { delivered: true, via: 'test' },
    before: field(was),
    after: field(is),
    events,
    changes: [],
    windowChanges: [],
    targetKey: 'a 1',
  };
  const { effect, evidence } = judgeMasked(seen, { written, events, isAdded });
  expect(evidence.join()).not.toContain(written);
  return effect;
}

describe('writing into a protected field', () => {
  it('is confirmed by as many masked characters as were written, and the event', () => {
    expect(effectOf(3, 6, 'secret', false)).toBe('confirmed');
    expect(effectOf(3, 9, 'secret', true)).toBe('confirmed');
    expect(effectOf(0, 2, 'a😀', false)).toBe('confirmed');
    expect(effectOf(0, 3, 'a😀', false)).toBe('confirmed');
  });

  it('is unverified with another number, without the event, or if nothing can be counted', () => {
    expect(effectOf(3, 3, 'secret', false)).toBe('unverified');
    expect(effectOf(3, 6, 'secret', true)).toBe('unverified');
    expect(effectOf(0, 6, 'secret', false, [])).toBe('unverified');
    expect(effectOf(0, undefined, 'secret', false)).toBe('unverified');
  });
});
