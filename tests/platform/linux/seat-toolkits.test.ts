import { expect, it } from 'vitest';
import { requireTriedSeat } from '../../../src/platform/linux/desktop/seat-toolkits.ts';
import type { ToolkitKind } from '../../../src/platform/linux/atspi/tree/toolkit.ts';

const application = (kind: ToolkitKind, title: string, toolkitVersion: string) => ({
  name: 'notes',
  toolkitVersion,
  traits: { kind, title },
});

it.each([
  ['gtk3', 'GTK 3', '3.24.38'],
  ['qt', 'Qt', '6.4.2'],
  ['chromium', 'Chromium', ''],
  ['gecko', 'Firefox (Gecko)', '153.8.0'],
] as const)('a seat of our own is used with %s %s %s', (kind, title, version) => {
  expect(() => requireTriedSeat(application(kind, title, version))).not.toThrow();
});

it.each([
  ['gtk4', 'GTK 4', '4.8.3'],
  ['qt', 'Qt', '5.15.8'],
  ['java', 'Java (ATK wrapper)', '1.0'],
  ['other', 'unknown toolkit', ''],
] as const)(
  'and refused with %s %s %s, beside which keys of the user may be lost',
  (kind, title, version) => {
    expect(() => requireTriedSeat(application(kind, title, version))).toThrow('may be lost');
  },
);
