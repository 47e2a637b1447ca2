import { expect, it } from 'vitest';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';

it.each([
  ['gtk', 'gedit', 'gtk3'],
  ['gtk', 'soffice', 'libreoffice'],
  ['gtk', 'soffice.bin', 'libreoffice'],
  ['GTK', 'gnome-calculator', 'gtk4'],
  ['Qt', 'kcalc', 'qt'],
  ['qt6', 'kate', 'qt'],
  ['Gecko', 'Firefox', 'gecko'],
  ['Chromium', 'chromium', 'chromium'],
  ['Chrome', 'code', 'chromium'],
  ['J2SE-access-bridge', 'app', 'java'],
  ['', 'x', 'other'],
  ['Flutter', 'x', 'other'],
])('%j of %j is %s', (toolkit, name, kind) => {
  expect(toolkitTraits(toolkit, name).kind).toBe(kind);
});

it('an unmeasured toolkit gets the safest traits', () => {
  expect(toolkitTraits('Unknown', 'x')).toMatchObject({ cache: 'none', peerToPeer: false });
});

it('has no bulk reads if those may crash the application', () => {
  expect(toolkitTraits('J2SE-access-bridge', 'x')).toMatchObject({ cache: 'none', keepsRemoved: true });
});

it('delayed activations are waited for', () => {
  const delays = ['gtk', 'GTK', 'Qt', 'Gecko'].map((name) => toolkitTraits(name, '').activationDelayMs);
  expect(delays).toEqual([0, 250, 100, 0]);
});
