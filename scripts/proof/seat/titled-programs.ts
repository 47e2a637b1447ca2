import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A program whose title says what happened in it: `clicks N doubles N menus N picks N moves N top N at X,Y list X,Y text [TEXT]`. Its upper half is a text of many
 * lines that fills the width from `at` on; below it is something that opens a list, with its middle at `list`. Both places are known once it was clicked.
 */
export interface TitledProgram {
  /** As `requireProven` knows its toolkit. */
  readonly toolkit: string;
  readonly command: (folder: string) => readonly string[];
  /** Its menus take the keyboard of the user, and stay open for keys of another: not measured. */
  readonly hasNoPopups?: true;
  /** What the title begins with once it can be used. */
  readonly ready: RegExp;
}

const PAGE = `<!doctype html><meta charset=utf-8><title>ready</title>
<style>html,body{margin:0;height:100%;overflow:hidden}textarea{display:block;width:100%;height:60%;font-size:16px;border:0;padding:0;resize:none}
#b{display:block;width:100%;height:40%;text-align:center}select{margin-top:6%;width:300px;height:60px;font-size:20px}</style>
<textarea id=t spellcheck=false></textarea><div id=b><select id=s><option>one<option>two<option>three</select></div><script>
let at = [0, 0], clicks = 0, doubles = 0, menus = 0, picks = 0, moves = 0; const t = document.getElementById('t'), s = document.getElementById('s');
const filler = '\\n'.repeat(200);
t.value = filler; t.scrollTop = 0;
const middle = (e) => { const r = e.getBoundingClientRect(); return [Math.round(at[0] + r.x + r.width / 2), Math.round(at[1] + r.y + r.height / 2)]; };
const show = () => { document.title = 'clicks ' + clicks + ' doubles ' + doubles + ' menus ' + menus + ' picks ' + picks + ' moves ' + moves + ' top ' + Math.round(t.scrollTop) + ' at ' + at + ' list ' + middle(s) + ' text [' + t.value.replaceAll('\\n', '') + ']'; };
t.addEventListener('click', (e) => { at = [Math.round(e.screenX - e.clientX), Math.round(e.screenY - e.clientY)]; clicks++; show(); }); t.addEventListener('dblclick', () => { doubles++; show(); });
t.addEventListener('contextmenu', () => { menus++; show(); }); t.addEventListener('scroll', show); t.addEventListener('input', show);
// A press of the user that comes here instead of to their window is a failure of the act, not of the keys that come next.
document.addEventListener('mousedown', (e) => { if (e.target !== t && e.target !== s) e.preventDefault(); });
t.addEventListener('mousemove', () => { moves++; show(); });
s.addEventListener('change', () => { picks++; show(); });
</script>`;

const TK = `wm title . ready
text .t -width 60 -height 14 -font {Helvetica 12}
menubutton .m -text Menu -menu .m.list -relief raised -width 30 -pady 20
menu .m.list -tearoff 0
foreach name {one two three} { .m.list add command -label $name -command {incr ::picks; show} }
pack .t -side top -expand 1 -fill both
pack .m -side top -pady 20
wm geometry . 700x500+60+60
.t insert end [string repeat "\\n" 200]
.t mark set insert 1.0
foreach name {clicks doubles menus picks moves} { set $name 0 }
proc show {} { wm title . "clicks $::clicks doubles $::doubles menus $::menus picks $::picks moves $::moves top [.t index @0,0] at [winfo rootx .t],[winfo rooty .t] list [expr {[winfo rootx .m] + [winfo width .m] / 2}],[expr {[winfo rooty .m] + [winfo height .m] / 2}] text \\[[string map {\\n {}} [.t get 1.0 end]]\\]" }
bind .t <ButtonRelease-1> {+incr ::clicks; after idle show}
bind .t <Double-ButtonRelease-1> {+incr ::doubles; after idle show}
bind .t <ButtonPress-3> {+incr ::menus; tk_popup .m.list %X %Y; after idle show}
bind .t <Motion> {+incr ::moves; after idle show}
bind .t <KeyRelease> {+after idle show}
foreach event {<Button-4> <Button-5> <MouseWheel>} { bind .t $event {+after 20 show} }`;

function fileIn(folder: string, name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

export const TITLED: readonly TitledProgram[] = [
  {
    toolkit: 'none',
    command: (folder) => ['wish', fileIn(folder, 'text.tcl', TK)],
    hasNoPopups: true,
    ready: /^(?:ready|clicks \d)/,
  },
  {
    toolkit: 'chromium',
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
    ready: /^(?:ready|clicks \d)/,
  },
  {
    toolkit: 'gecko',
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
    ready: /^(?:ready|clicks \d)/,
  },
];
