import { expect, it } from 'vitest';
import type { ChangeSince } from '../../src/model/effects/effect.ts';
import { outlineChanges } from '../../src/model/tree/outline.ts';

it('prints one change per line, the content of appeared elements below them', () => {
  const changes: ChangeSince[] = [
    { kind: 'appeared', role: 'dialog', name: 'Confirm' },
    { kind: 'appeared', role: 'button', name: 'OK', ref: '@e9', after: 'focused', level: 1 },
    { kind: 'changed', role: 'checkbox', name: 'Agree', ref: '@e3', before: 'none', after: 'checked' },
    { kind: 'focus', role: 'textbox', ref: '@e4' },
    { kind: 'disappeared', role: 'group', name: 'Details', inside: 4 },
  ];
  expect(outlineChanges(changes)).toBe(
    [
      '+ dialog "Confirm"',
      '  + button "OK" @e9: focused',
      '~ checkbox "Agree" @e3: none -> checked',
      '~ textbox @e4: focused',
      '- group "Details" (4 inside)',
      '',
    ].join('\n'),
  );
});

it('keeps every name and value within its line', () => {
  const text = 'a\n+ button "Fake" @e1\u202E';
  const lines = outlineChanges([
    { kind: 'changed', role: 'text', name: text, before: `name ${JSON.stringify(text)}`, after: text },
  ]);
  expect(lines.split('\n')).toHaveLength(2);
  expect(lines).not.toContain('\u202E');
});
