import { describe, expect, it } from 'vitest';
import { toDesktopEvent } from '../../../../src/platform/linux/atspi/bus/events.ts';
import { BodyReader, Variant, type BusValue } from '../../../../src/platform/linux/dbus/index.ts';
import { encodeBody } from '../../../../src/platform/linux/dbus/marshalling/encode.ts';
import type { DesktopEvent } from '../../../../src/ports/desktop/events.ts';

const ATK = 'siiva{sv}';
const QT = 'siiv(so)';

interface Sent {
  readonly class?: string;
  readonly member: string;
  readonly detail: string;
  readonly number?: number;
  readonly signature?: string;
  readonly sender?: string | undefined;
  readonly interface?: string;
}

function event(sent: Sent): DesktopEvent | undefined {
  const signature = sent.signature ?? ATK;
  const tail: BusValue = signature === QT ? [':1.7', '/root'] : new Map();
  const body = encodeBody(signature, [sent.detail, sent.number ?? 0, 0, new Variant('s', 'any'), tail], true);
  return toDesktopEvent(
    {
      interface: sent.interface ?? `org.a11y.atspi.Event.${sent.class ?? 'Object'}`,
      member: sent.member,
      sender: 'sender' in sent ? sent.sender : ':1.7',
      path: '/node',
      signature,
      reader: () => new BodyReader(body, true),
    },
    42,
  );
}

describe.each([
  ['ATK and GTK 4', ATK],
  ['Qt', QT],
])('signals of %s', (_, signature) => {
  it.each<[string, string, number, DesktopEvent['kind'], string]>([
    ['StateChanged', 'checked', 1, 'state-changed', 'checked=1'],
    ['StateChanged', 'checked', 0, 'state-changed', 'checked=0'],
    ['StateChanged', 'focused', 1, 'focus-changed', 'focused=1'],
    ['PropertyChange', 'accessible-name', 0, 'name-changed', 'accessible-name'],
    ['PropertyChange', 'accessible-value', 0, 'value-changed', 'accessible-value'],
    ['TextChanged', 'insert', 3, 'text-changed', 'insert'],
    ['ChildrenChanged', 'add', 2, 'children-changed', 'add'],
    ['SelectionChanged', '', 0, 'selection-changed', ''],
  ])('%s %s %i is %s', (member, detail, number, kind, told) => {
    expect(event({ member, detail, number, signature })).toEqual({
      kind,
      node: { app: ':1.7', path: '/node' },
      detail: told,
      atMs: 42,
    });
  });

  it.each([
    ['Create', 'window-opened'],
    ['Destroy', 'window-closed'],
    ['Close', 'window-closed'],
    ['Activate', 'window-changed'],
    ['Deactivate', 'window-changed'],
  ])('Window.%s is %s', (member, kind) => {
    expect(event({ class: 'Window', member, detail: '', signature })?.kind).toBe(kind);
  });
});

describe('a signal that we do not use', () => {
  it.each<[string, Sent]>([
    ['of another kind', { member: 'BoundsChanged', detail: '' }],
    ['of another class', { class: 'Window', member: 'StateChanged', detail: 'checked' }],
    ['of another interface', { interface: 'org.example.Object', member: 'StateChanged', detail: 'checked' }],
    ['of a property that nobody sees', { member: 'PropertyChange', detail: 'accessible-parent' }],
    ['of nobody', { member: 'StateChanged', detail: 'checked', sender: undefined }],
  ])('%s', (_, sent) => {
    expect(event(sent)).toBeUndefined();
  });
});

describe('a malformed body', () => {
  const broken = (signature: string, body: Buffer): DesktopEvent | undefined =>
    toDesktopEvent(
      {
        interface: 'org.a11y.atspi.Event.Object',
        member: 'StateChanged',
        sender: ':1.7',
        path: '/node',
        signature,
        reader: () => new BodyReader(body, true),
      },
      0,
    );

  it.each<[string, string, Buffer]>([
    ['is of another type', 'u', encodeBody('u', [7], true)],
    ['is empty', '', Buffer.alloc(0)],
    ['ends too soon', ATK, Buffer.from([9, 0, 0, 0, 0x61])],
    ['is longer than it is', ATK, Buffer.from([0xff, 0xff, 0xff, 0x7f])],
  ])('%s is ignored', (_, signature, body) => {
    expect(broken(signature, body)).toBeUndefined();
  });
});
