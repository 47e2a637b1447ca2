import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program whose window has as its title what was typed into it, and how often it was clicked. */
export interface TitledProgram {
  readonly name: string;
  readonly command: (folder: string) => readonly string[];
  /** What the title begins with once it can be used. */
  readonly ready: RegExp;
}

const PAGE = `<!doctype html><title>ready</title><style>html,body{margin:0;height:100%}textarea{width:100%;height:100%;font-size:30px}</style>
<textarea id=t></textarea><script>
let clicks = 0; const t = document.getElementById('t');
const show = () => { document.title = 'clicks ' + clicks + ' text ' + t.value; };
t.addEventListener('click', () => { clicks++; show(); }); t.addEventListener('input', show);
</script>`;

const TK = `wm title . ready
text .t -width 60 -height 12
pack .t -expand 1 -fill both
wm geometry . 700x400+60+60
set clicks 0
proc show {} { wm title . "clicks $::clicks text [string trimright [.t get 1.0 end] \\n]" }
bind .t <ButtonRelease-1> {+incr ::clicks; after idle show}
bind .t <KeyRelease> {+after idle show}`;

function fileIn(folder: string, name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

export const TITLED: readonly TitledProgram[] = [
  { name: 'Tk', command: (folder) => ['wish', fileIn(folder, 'text.tcl', TK)], ready: /^ready/ },
  {
    name: 'Chromium',
    command: (folder) => [
      'chromium',
      '--no-sandbox',
      '--no-first-run',
      '--disable-gpu',
      `--user-data-dir=${join(folder, 'chromium')}`,
      '--window-size=900,600',
      '--window-position=20,20',
      `--app=file://${fileIn(folder, 'page.html', PAGE)}`,
    ],
    ready: /^ready/,
  },
  {
    name: 'Firefox',
    command: (folder) => {
      fileIn(
        join(folder, 'firefox'),
        'user.js',
        [
          'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
          'user_pref("browser.aboutwelcome.enabled", false);',
          'user_pref("browser.shell.checkDefaultBrowser", false);',
          'user_pref("browser.tabs.inTitlebar", 0);',
        ].join('\n'),
      );
      return [
        'firefox-esr',
        '--profile',
        join(folder, 'firefox'),
        '--no-remote',
        '--new-instance',
        '--width',
        '900',
        '--height',
        '600',
        `file://${fileIn(folder, 'page.html', PAGE)}`,
      ];
    },
    ready: /^ready/,
  },
];
