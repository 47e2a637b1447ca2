import { describe, expect, it } from 'vitest';
import { printPage } from '../../../src/app/page/print-page.ts';
import { PLAIN, type ScreenStyle } from '../../../src/app/page/screen-style.ts';
import { facts, line, nextStep, span, table, type Page } from '../../../src/model/text/page.ts';
import { textWidth } from '../../../src/model/text/text-width.ts';

const SCREEN: ScreenStyle = { ...PLAIN.onOutput, width: 40 };

function printed(page: Page, style: Partial<ScreenStyle> = {}): readonly string[] {
  return printPage(page, { ...SCREEN, ...style })
    .split('\n')
    .slice(0, -1);
}

const WINDOWS = table(
  [
    { title: 'REF' },
    { title: 'TITLE', narrow: 'clip' },
    { title: 'PID', align: 'right' },
    { title: 'NEVER USED' },
    { title: 'STATE', narrow: 'wrap' },
  ],
  [
    [span('@w1', 'reference'), 'KCalc', '7', '', 'focused'],
    [
      span('@w12', 'reference'),
      '計算機 – 電卓アプリケーション',
      '12345',
      '',
      'no tree: start it anew to read it',
    ],
  ],
);

describe('a table', () => {
  it('is aligned by columns, also with wide characters, and leaves out what is empty', () => {
    expect(printed([WINDOWS], { width: 200 })).toEqual([
      'REF   TITLE                            PID  STATE',
      '@w1   KCalc                              7  focused',
      '@w12  計算機 – 電卓アプリケーション  12345  no tree: start it anew to read it',
    ]);
  });

  it.each([40, 60, 80])('fits into %i columns', (width) => {
    const lines = printed([WINDOWS], { width });
    expect(Math.max(...lines.map((text) => textWidth(text)))).toBeLessThanOrEqual(width);
    // Nothing is lost but the end of what may be cut.
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain('no tree: start');
  });

  it('becomes lines on a terminal that is too narrow for columns', () => {
    const lines = printed([WINDOWS], { width: 24 });
    expect(lines.join(' ')).toContain('it anew to read it');
    expect(lines[0]).toBe('@w1  KCalc  7  focused');
  });
});

describe('a line', () => {
  it('is broken at blanks, with its continuation indented', () => {
    expect(printed([line('one two three four five six seven eight nine ten')])).toEqual([
      'one two three four five six seven eight',
      '  nine ten',
    ]);
  });

  it('that names a next step stays whole, so that its command can be copied', () => {
    const step = 'Run "desk launch kcalc --wait", or "desk snapshot --app KCalc".';
    expect(printed([nextStep(step, 2)])).toEqual([`  → ${step}`]);
  });

  it('keeps a word that is longer than the line', () => {
    const path = `/${'a'.repeat(60)}`;
    expect(printed([line(`file: ${path}`)])).toEqual(['file:', `  ${path}`]);
  });
});

describe('colours', () => {
  const page: Page = [
    line([span('✓ confirmed', 'good'), ' button']),
    { kind: 'outline', text: '  button "Save \\"as\\"" @e5 value="x" disabled\n' },
  ];

  it('are used only where the terminal has them, and change no column', () => {
    const [effect, element] = printed(page, { isColoured: true, width: 80 });
    expect(effect).toBe('\u001B[32m✓ confirmed\u001B[0m button');
    expect(element).toContain('\u001B[34mbutton\u001B[0m');
    expect(element).toContain('\u001B[36m@e5\u001B[0m');
    expect(element).toContain(String.raw`"Save \"as\""`);
    // oxlint-disable-next-line eslint/no-control-regex -- colours
    const bare = [effect, element].map((text) => (text ?? '').replaceAll(/\u001B\[\d+m/g, ''));
    expect(bare).toEqual(printed(page, { width: 80 }));
  });

  it('mark an element’s role where it stands, not the same word in a sentence', () => {
    const [text] = printed([{ kind: 'outline', text: 'closed the button of a window' }], {
      isColoured: true,
    });
    expect(text).toBe('closed the button of a window');
  });

  it('do without signs that the terminal lacks', () => {
    expect(printed([line([span('✓ ', 'good'), 'a → b…'])], { isAscii: true })).toEqual(['+ a -> b...']);
    const cut = table([{ title: 'A', narrow: 'clip' }, { title: 'B' }], [['long enough to be cut', '1']]);
    expect(printed([cut], { isAscii: true, width: 20 })).toEqual([
      'A                  B',
      'long enough to b~  1',
    ]);
  });

  it('stay within twenty columns, also in colour and when indented', () => {
    const quiet = ['docker_compose_logs', 'docker_compose', 'docker'].map((name) =>
      span(`${name}, `, 'quiet'),
    );
    const lines = printed([line(quiet), line('two words and more of them, indented', 8)], {
      width: 20,
      isColoured: true,
    });
    // oxlint-disable-next-line eslint/no-control-regex -- colours take no columns
    const shown = lines.map((text) => text.replaceAll(/\u001B\[\d+m/g, ''));
    expect(shown.filter((text) => textWidth(text) > 20 && !text.includes('_logs'))).toEqual([]);
    expect(shown.filter((text) => text.endsWith(' '))).toEqual([]);
  });
});

describe('text of applications', () => {
  const hostile = '\u001B]0;owned\u0007\u009B31m\r\u202Edne\u0000\n\u001B[2J';
  it.each<[string, Page]>([
    ['a line', [line(['x ', hostile])]],
    ['a whole line', [nextStep(hostile)]],
    [
      'a table',
      [table([{ title: hostile }, { title: '', narrow: 'wrap' }], [[hostile, span(hostile, 'bad')]])],
    ],
    ['facts', [facts([[hostile, hostile]])]],
    ['an outline', [{ kind: 'outline', text: `button "${hostile}" @e1` }]],
    ['a quoted text', [{ kind: 'verbatim', text: hostile }]],
  ])('in %s cannot control the terminal', (_, page) => {
    const text = printPage(page, { ...SCREEN, width: 200 });
    // oxlint-disable-next-line eslint/no-control-regex -- what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
  });
});
