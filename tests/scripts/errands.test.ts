import { describe, expect, it } from 'vitest';
import { guessedNames, withRefs } from '../../scripts/proof/errands/errand.ts';

const DIALOG = [
  '2 menu: confirmed: menuitem "Save As..." @e9 (window opened: "Save As"); opened "Save As" @w2',
  'dialog "Save As" @w2 modal active',
  '  textbox "Name:" @e10 focused',
  '  spinbutton @e12 value="100" disabled',
  '  spinbutton @e13 value="5"',
  '  textbox ~"Find" @e14 value="a \\"b\\" @e99"',
  '  button "Cancel" @e24 "Save" @e25+ disabled',
].join('\n');

describe('the calls of an errand', () => {
  it.each([
    ['<textbox "Name:">', '@e10'],
    ['<menuitem "Save As...">', '@e9'],
    ['<spinbutton>', '@e12'],
    ['<textbox "Find">', '@e14'],
    ['click <button "Save">', 'click @e25'],
  ])('name by %s what an answer has shown', (given, expected) => {
    expect(withRefs([given], [DIALOG, 'confirmed'])).toEqual([expected]);
  });

  it('take the latest answer that has shown it', () => {
    expect(withRefs(['<button "Save">'], [DIALOG, 'button "Save" @e31'])).toEqual(['@e31']);
    expect(() => withRefs(['<button "OK">'], [DIALOG])).toThrow('no answer has shown button "OK"');
  });

  it('tell which names were known from elsewhere', () => {
    const call = [
      'do',
      'menu "File > Save As…"',
      'click "role:button[name=\\"OK\\"]"',
      'click role:tab[name=Find]',
    ];
    expect(guessedNames(call, ['Find it in the File menu'])).toEqual(['OK', 'Save As…']);
    expect(guessedNames(['menu', 'Edit > Copy'], [])).toEqual(['Edit', 'Copy']);
  });
});
