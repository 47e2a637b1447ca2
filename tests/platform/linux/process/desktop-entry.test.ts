import { describe, expect, it } from 'vitest';
import { parseDesktopEntry } from '../../../../src/platform/linux/process/desktop-entry.ts';

const KCALC = `# a comment
[Desktop Entry]
Type=Application
Name=KCalc
Name[de]=KRechner
Name[sr@latin]=K-računanje
Exec=kcalc %U
Icon=accessories-calculator
Terminal=false
Comment=a=b

[Desktop Action new]
Name=New window
Exec=kcalc --new
`;

function parse(text: string): ReturnType<typeof parseDesktopEntry> {
  return parseDesktopEntry(text, '/x/org.kde.kcalc.desktop', 'org.kde.kcalc');
}

describe('parseDesktopEntry', () => {
  it('reads names in every language and ignores actions', () => {
    expect(parse(KCALC)).toMatchObject({
      id: 'org.kde.kcalc',
      name: 'KCalc',
      names: ['KCalc', 'KRechner', 'K-računanje'],
      exec: 'kcalc %U',
      icon: 'accessories-calculator',
      terminal: false,
      hidden: false,
      noDisplay: false,
    });
  });

  it('accepts CRLF, a byte order mark and spaces around "="', () => {
    const text = `\uFEFF[Desktop Entry]\r\nType = Application\r\nName =  A b \r\nExec= a\r\nNoDisplay=true\r\n`;
    expect(parse(text)).toMatchObject({ name: 'A b', exec: 'a', noDisplay: true });
  });

  it('unescapes once', () => {
    expect(parse('[Desktop Entry]\nType=Application\nName=a\\sb\\\\sc\\q\n')?.name).toBe('a b\\sc\\q');
  });

  it.each([
    '',
    'not an entry',
    '[Desktop Entry]\nType=Link\nName=x\n',
    '[Desktop Action x]\nType=Application\nName=x\n',
    '[desktop entry]\nType=Application\n',
  ])('returns nothing for %j', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it('falls back to the id without a name, and ignores empty values', () => {
    expect(parse('[Desktop Entry]\nType=Application\nExec=\nTryExec=\n')).toMatchObject({
      name: 'org.kde.kcalc',
      exec: undefined,
      tryExec: undefined,
    });
  });
});
