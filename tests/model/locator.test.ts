import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { parseLocator, printLocator } from '../../src/model/refs/locator.ts';
import type { Locator, LocatorFilter, LocatorStep } from '../../src/model/refs/locator.ts';
import { ROLES } from '../../src/model/tree/role.ts';
import { STATES } from '../../src/model/tree/state.ts';

function failure(text: string): DeskterityError {
  try {
    parseLocator(text);
  } catch (error) {
    if (error instanceof DeskterityError) return error;
    throw error;
  }
  throw new Error(`${text} was understood`);
}

describe('a locator', () => {
  it.each([
    ['role:button[name="Save"]'],
    ['role:textbox[name*="mail"]'],
    [String.raw`role:textbox[name~="^E-?mail \d+ \"x\"$"]`],
    ['text:"Save as"'],
    ['id:"save-button"'],
    ['label:"Name"'],
    ['path:"window>group>button[2]"'],
    ['cell:"B2"'],
    ['role:table[name="Sheet Prices"] >> cell:"A1:C10"[value="3"]'],
    ['role:button[nth=2]'],
    ['role:checkbox[checked][enabled]'],
    ['role:checkbox[checked=false][disabled]'],
    ['role:dialog[name="Preferences"] >> role:button[name="OK"]'],
    ['app:"KCalc" >> window:"@w3" >> role:button[name="7"][value="x"][nth=3]'],
    [String.raw`text:"a \"quoted\" \\ \n \u{202E} one"`],
  ])('%s is printed in the same form', (text) => {
    expect(printLocator(parseLocator(text))).toBe(text);
  });

  it.each([
    ["role:'push button'[ name = 'Say \"hi\"' ]", String.raw`role:button[name="Say \"hi\""]`],
    ['ROLE:Button[Enabled=TRUE]', 'role:button[enabled]'],
    ['role:button[enabled=false]', 'role:button[disabled]'],
    ['id:save-button>>text:OK', 'id:"save-button" >> text:"OK"'],
    [
      'path://dialog[@name="a >> b"]//button[2]>>role:text',
      'path:"//dialog[@name=\\"a >> b\\"]//button[2]" >> role:text',
    ],
    ['path:window > group >> role:text', 'path:"window > group" >> role:text'],
    ['window:Save >> app:kate >> role:tab', 'app:"kate" >> window:"Save" >> role:tab'],
    ['B2', 'cell:"B2"'],
    ['C10:$A$1', 'cell:"A1:C10"'],
    ['app:soffice >> B2[focused]', 'app:"soffice" >> cell:"B2"[focused]'],
    ['Cell:b2', 'cell:"B2"'],
    ["text:'it\\'s'", 'text:"it\'s"'],
  ])('%s means %s', (text, meant) => {
    expect(printLocator(parseLocator(text))).toBe(meant);
  });

  it.each([
    ['', 1, 'role:'],
    ['Save as', 1, 'text:"Save as"'],
    ['button[name="Save"]', 1, 'role:button[name="Save"]'],
    ['#save', 1, 'id:save'],
    ['rol:button', 1, 'role:button'],
    ['role:buton', 6, 'role:button'],
    ['role:button[name="Save"', 24, ''],
    ['role:button[name="Save]', 18, ''],
    ['role:button[colour="red"]', 13, ''],
    ['role:button[cheked]', 13, '[checked]'],
    ['role:button[name^="a"]', 17, ''],
    ['role:button[name*=""]', 19, ''],
    ['role:button[name~="("]', 19, '*='],
    ['role:button[name~=a]', 19, ''],
    ['role:button[nth=0]', 18, '[nth=2]'],
    ['role:button[nth=2][checked]', 20, ''],
    ['role:button >>', 15, ''],
    ['cell:Save', 6, 'cell:B2'],
    ['B2C', 1, ''],
    ['  role:AXButton [name=OK]', 17, ''],
    ['role:button > role:text', 13, ''],
    ['role:button >> app:x', 16, ''],
    ['app:x', 6, ''],
    ['app:x >> app:y >> role:button', 10, ''],
    ['text:Save as', 11, ''],
    ['text:""', 6, ''],
    [String.raw`text:"\q"`, 6, String.raw`\\`],
    [String.raw`text:"\u{FFFFFF}"`, 6, String.raw`\\`],
    ['path:button[@colour="red"]', 6, '//dialog//button'],
    ['path:buton', 6, ''],
    [`text:${'x'.repeat(5000)}`, 4001, ''],
    [Array.from({ length: 20 }, () => 'role:group').join(' >> '), 225, ''],
  ])('%j is refused at character %i', (text, position, suggestion) => {
    const error = failure(text);
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.message).toContain(`at character ${position},`);
    expect(error.message.length).toBeLessThan(500);
    expect(error.suggestion).toContain(suggestion === '' ? '' : suggestion);
  });

  it.each([
    ['button "New Tab"', 'role:button[name="New Tab"]'],
    ['role:button "New Tab"', 'role:button[name="New Tab"]'],
    ['button New Tab', 'role:button[name="New Tab"]'],
    ['button "Save" [enabled]', 'role:button[name="Save"][enabled]'],
    ["buton 'Save'", "role:button[name='Save']"],
    ['button:Save', 'role:button[name="Save"]'],
    ['button', 'role:button'],
    ['dialog "Save as" >> button "OK"', 'role:dialog[name="Save as"] >> role:button[name="OK"]'],
    ['app:kate >> button "New Tab"', 'app:kate >> role:button[name="New Tab"]'],
    ['app:my app >> role:button', 'app:"my app" >> role:button'],
    ['role:button[name=Save as]', 'role:button[name="Save as"]'],
    ['text:Save as', 'text:"Save as"'],
    ['label:E mail[enabled]', 'label:"E mail"[enabled]'],
    ['lable:E mail', 'label:"E mail"'],
    ['toolbar/button[2]', 'path:toolbar/button[2]'],
    ['//dialog//button', 'path://dialog//button'],
  ])('%s is answered with %s, which is understood', (text, meant) => {
    expect(failure(text).suggestion).toBe(`Did you mean ${meant}?`);
    expect(() => parseLocator(meant)).not.toThrow();
  });

  it.each(['role:button[nme="a"]', 'role:button[nht=2]', 'role:button[cheked]'])(
    'a part of %s is answered with one that is understood',
    (text) => {
      const part = /^Did you mean (.*)\?$/.exec(failure(text).suggestion)?.[1];
      expect(() => parseLocator(`role:button${part}`)).not.toThrow();
    },
  );

  it('of any form is read back unchanged', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 20 })
      .filter((one) => one.trim() !== '');
    const filter: fc.Arbitrary<LocatorFilter> = fc.oneof(
      fc.record({
        attribute: fc.constantFrom('name', 'value', 'description'),
        operator: fc.constantFrom('=', '*='),
        text,
      }),
      fc.record({
        attribute: fc.constant('name' as const),
        operator: fc.constant('~=' as const),
        text: fc.constantFrom('^a"b$', String.raw`\d+\\`, String.raw`[^"\]]*`, "it's", 'a\nb'),
      }),
      fc.record({ state: fc.constantFrom(...STATES), holds: fc.boolean() }),
    );
    const rest = {
      filters: fc.array(filter, { maxLength: 3 }),
      nth: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
    };
    const step: fc.Arbitrary<LocatorStep> = fc.oneof(
      fc.record({ kind: fc.constant('role' as const), role: fc.constantFrom(...ROLES), ...rest }),
      fc.record({ kind: fc.constantFrom('text', 'label', 'id'), value: text, ...rest }),
      fc.record({
        kind: fc.constant('path' as const),
        value: fc.constantFrom('toolbar/button[2]', '//*[@name="a >> b"]', "window > group//*[@value='x']"),
        ...rest,
      }),
    );
    const locator: fc.Arbitrary<Locator> = fc.record({
      app: fc.option(text, { nil: undefined }),
      window: fc.option(text, { nil: undefined }),
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(locator, (given) => {
        const printed = printLocator(given);
        expect(plain(parseLocator(printed))).toEqual(plain(given));
        expect(printLocator(parseLocator(printed))).toBe(printed);
      }),
      { numRuns: 1000, seed: 20_261 },
    );
  });

  it('is parsed or refused, whatever the text', () => {
    const piece = fc.constantFrom(
      'role:',
      'text:',
      'path:',
      'button',
      '[',
      ']',
      '"',
      "'",
      '\\',
      '>>',
      ' ',
      '=',
      '~=',
      'name',
      'nth',
      '2',
      '>',
      '/',
      '@',
      'app:',
      '\n',
      'é',
    );
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
    );
    let understood = 0;
    fc.assert(
      fc.property(hostile, (text) => {
        const end = endOf(text);
        if (end === 'understood') understood++;
        expect(end).toMatch(/^(?:understood|INVALID_ARGUMENT with a suggestion)$/);
      }),
      { numRuns: 5000, seed: 20_262 },
    );
    expect(understood).toBeGreaterThan(10);
  });

  it('that is long and hostile is cheap', () => {
    const started = performance.now();
    for (const text of [
      `text:"${'\\'.repeat(3900)}`,
      `path:${'['.repeat(3900)}`,
      `path:${'a '.repeat(1900)}`,
      `role:button${'['.repeat(3900)}`,
      `path:${' '.repeat(3900)}x`,
      `role:${' '.repeat(3900)}>`,
    ])
      failure(text);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

/** The result of parsing a text. */
function endOf(text: string): string {
  try {
    return printLocator(parseLocator(text)) === '' ? 'nothing' : 'understood';
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    const meant = /^Did you mean ([^[].*)\?$/s.exec(error.suggestion)?.[1];
    if (meant !== undefined) parseLocator(meant);
    return `${error.code} ${error.suggestion === '' ? 'alone' : 'with a suggestion'}`;
  }
}

/** Without keys that are undefined. */
function plain(locator: Locator): unknown {
  return JSON.parse(JSON.stringify(locator));
}
