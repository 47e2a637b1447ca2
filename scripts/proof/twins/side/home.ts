import { cpSync, lstatSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PASSWORD_MANAGERS_ALLOWED } from '../../password-managers-allowed.ts';

/**
 * Carets that blink, parts that glide and scroll bars that fade in and out over the content would make two equal screens look different: off, on
 * both sides.
 */
const GTK = '[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\ngtk-overlay-scrolling=0\n';

const QUIET_MOZILLA = [
  ['datareporting.policy.dataSubmissionEnabled', false],
  ['datareporting.healthreport.uploadEnabled', false],
  ['toolkit.telemetry.enabled', false],
  ['browser.aboutwelcome.enabled', false],
  ['browser.shell.checkDefaultBrowser', false],
  ['browser.startup.homepage_override.mstone', 'ignore'],
  ['browser.newtabpage.activity-stream.asrouter.userprefs.cfr.features', false],
  ['browser.newtabpage.activity-stream.asrouter.userprefs.cfr.addons', false],
  ['browser.sessionstore.resume_from_crash', false],
  ['app.normandy.enabled', false],
  ['ui.caretBlinkTime', 0],
  ['mail.provider.suppress_dialog_on_startup', true],
]
  .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
  .join('');

const FILES: Readonly<Record<string, string>> = {
  ...PASSWORD_MANAGERS_ALLOWED,
  '.config/gtk-3.0/settings.ini': GTK,
  '.config/gtk-4.0/settings.ini': GTK,
  '.gtkrc-2.0': 'gtk-cursor-blink=0\n',
  '.config/kdeglobals': '[KDE]\nCursorBlinkRate=0\nAnimationDurationFactor=0\n',
  '.config/glib-2.0/settings/keyfile':
    '[org/gnome/desktop/interface]\ncursor-blink=false\nenable-animations=false\n',
  'Documents/notes.txt': 'The first line.\nThe second line.\nThe third line.\n',
  'Documents/numbers.csv': 'name,amount\nAda,10\nGrace,20\nKatherine,30\n',
  'Documents/page.html':
    '<!doctype html><title>Page</title><h1>Page</h1><p>Text <a href="#end">link</a></p>' +
    '<form><label>Name <input name="name"></label><label><input type="checkbox" name="news"> News</label>' +
    '<select name="size"><option>Small<option>Large</select><button type="button" onclick="out.textContent=\'pressed\'">Press</button>' +
    '<output id="out"></output></form><p id="end">End</p>',
  'Documents/form.html': formPage(),
  // Nothing that appears by itself, some time after the start: tours, offers, questions, reports.
  '.profiles/mozilla/user.js': QUIET_MOZILLA,
  '.jedit/properties':
    'firstTime=false\ntip.show=false\nview.status=( mode , fold , encoding ) overwrite lineSep\n',
  'Documents/table.html': '<!doctype html><title>Table</title><table><tr><td>1<td>2<tr><td>3<td>4</table>',
  // Large enough that a person sees it turn.
  'Pictures/square.ppm': `P3\n64 64\n255\n${'200 30 30 '.repeat(2048)}${'30 30 200 '.repeat(2048)}\n`,
  // "Donate" and the like would start a browser, whose files are never the same twice.
  '.config/mimeapps.list':
    '[Default Applications]\nx-scheme-handler/http=nowhere.desktop\nx-scheme-handler/https=nowhere.desktop\nx-scheme-handler/mailto=nowhere.desktop\n',
  '.local/share/applications/nowhere.desktop':
    '[Desktop Entry]\nType=Application\nName=Nowhere\nExec=/bin/true %u\nMimeType=x-scheme-handler/http;x-scheme-handler/https;x-scheme-handler/mailto;\n',
  // Our program makes these folders, and file managers count what is hidden: they are there on both sides.
  '.cache/.keep': '',
  '.local/state/.keep': '',
  'Music/.keep': '',
  // GTK lists it among its places also where it is not there; a click on it then ends at one place near it or another.
  'Desktop/.keep': '',
  'Downloads/.keep': '',
};

/** What forms and questions on the web are made of: fields of several kinds, sections that open and close. */
function formPage(): string {
  const fields = ['Given name', 'Family name', 'Street', 'Town', 'Country', 'Employer', 'Nickname']
    .map((label) => `<p><label>${label} <input name="${label}"></label></p>`)
    .join('');
  const more =
    '<p><label>E-mail <input type="email"></label> <label>Telephone <input type="tel"></label></p>' +
    '<p><label>Age <input type="number" min="0" max="120" value="30"></label> <label>Search <input type="search"></label></p>' +
    '<p><label>Remarks <textarea rows="2"></textarea></label></p>';
  const answers = ['Delivery', 'Payment', 'Returns', 'Privacy'].map(
    (title) => `<details><summary>${title}</summary><p>About ${title}.</p></details>`,
  );
  const sections = ['Account', 'Billing', 'Support', 'Partners'].map(
    (title) =>
      `<div><button type="button" aria-expanded="false" onclick="const open=this.getAttribute('aria-expanded')==='false';` +
      `this.setAttribute('aria-expanded',open);this.nextElementSibling.hidden=!open">${title}</button>` +
      `<p hidden>Everything about ${title}.</p></div>`,
  );
  const columns = `<div style="float:right;width:45%">${[...answers, ...sections].join('')}</div>`;
  return `<!doctype html><meta charset="utf-8"><title>Form</title>${columns}<form onsubmit="return false">${fields}${more}</form>`;
}

const FOLDER_DATE = new Date('2026-01-02T03:04:05Z');

/** Copies a HOME; sockets and pipes of what ran there are left out. */
export function copyHome(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter: (source) => {
      const kind = lstatSync(source);
      return kind.isFile() || kind.isDirectory() || kind.isSymbolicLink();
    },
  });
  dateFolders(to);
}

/** Gives all folders one time: file managers show when they were last changed, and copying them is a change. */
function dateFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) dateFolders(join(folder, entry.name));
  utimesSync(folder, FOLDER_DATE, FOLDER_DATE);
}

/** Fills a folder with the few files and settings that every application finds in its HOME. */
export function createHome(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
