import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeSpreadsheet } from '../../../fixtures/documents/spreadsheet.ts';
import { fixtureCommand, type FixtureKind } from '../../../fixtures/driver.ts';
import { BRIDGE } from '../../../fixtures/swing.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import type { Place } from '../harness.ts';
import { fixtureForm, pageForm, type Form, type Named } from './form.ts';
import { readSheet } from './sheet.ts';
import { until } from '../../until.ts';
import { serveWebPage, type WebPage } from './web-page.ts';
import { witnessOf } from './witness/witness.ts';
import { z } from 'zod';

/** A running application, with facts about it from other sources than the program under test. */
export interface Subject {
  readonly pid: number;
  readonly windowTitle: string;
  /** The name of the toolkit that `list-apps` should report. */
  readonly toolkitName: string;
  readonly expected: readonly Named[];
  /** Texts that are no elements of their own, which a snapshot shows all the same. */
  readonly texts?: readonly string[];
  /** The element clicked by position; {@link wasHit} reads from the application whether it was. */
  readonly target: Named;
  wasHit(): Promise<boolean>;
  readonly disabled: Named;
  readonly box: Named & { readonly checked: boolean };
  readonly field: Named & { readonly text: string };
  /** Puts the keyboard focus on {@link field} without the program under test. */
  focusField(): Promise<void>;
  /** For our own fixtures and pages; a spreadsheet has {@link document} instead. */
  readonly form?: Form | undefined;
  /** Path of the spreadsheet. */
  readonly document?: string | undefined;
  /** Opens a second window, as a person would or with `desk launch`. */
  openSecond(): Promise<void>;
  /** Saves everything, so that the application asks nothing when it is closed. */
  saveAll?(): Promise<void>;
  /** Text that must never be in an answer. */
  readonly secret?: string | undefined;
  stop(): Promise<void>;
}

export interface SubjectKind {
  readonly toolkit: string;
  /** Absent if it is not installed. */
  readonly program: string;
  start(place: Place): Promise<Subject>;
}

const LAUNCH_MS = 60_000;
const Launched = z.looseObject({ pid: z.number(), window: z.looseObject({ pid: z.number() }) });

export const SUBJECTS: readonly SubjectKind[] = [
  fixtureSubject('gtk3', 'GTK 3', 'GTK 3'),
  fixtureSubject('gtk4', 'GTK 4', 'GTK 4'),
  fixtureSubject('qt5', 'Qt 5', 'Qt'),
  fixtureSubject('qt6', 'Qt 6', 'Qt'),
  fixtureSubject('swing', 'Swing', 'Java (ATK wrapper)'),
  { toolkit: 'LibreOffice Calc', program: '/usr/bin/soffice', start: startCalc },
  {
    toolkit: 'Firefox',
    program: '/usr/bin/firefox-esr',
    start: (place) => startBrowser(place, 'firefox-esr', 'Firefox (Gecko)'),
  },
  {
    toolkit: 'Chromium',
    program: '/usr/bin/chromium',
    start: (place) => startBrowser(place, 'chromium', 'Chromium'),
  },
];

export function isInstalled(kind: SubjectKind): boolean {
  return existsSync(kind.program);
}

/** Widgets of the first tab, which are on screen after the start. Rows and menu items are tested separately. */
const ON_SCREEN =
  /^(press|counter|bold|disabled|enable_later|later|open_dialog|run_dialog|agree|select_all|size_\w+|name|password|notes|colour|volume|count|progress|link|menu_file|menu_edit)$/;

function fixtureSubject(kind: FixtureKind, toolkit: string, toolkitName: string): SubjectKind {
  const named = (id: string): Named => {
    const widget = expectedWidgets(kind).find((candidate) => candidate.id === id);
    if (!widget) throw new Error(`no widget ${id}`);
    return { role: widget.role, name: widget.name };
  };
  return {
    toolkit,
    program: kind === 'swing' ? BRIDGE : '/usr/bin/python3',
    start: async (place) => {
      const fixture = await place.fixture(kind);
      await fixture.control('set', { widget: 'name', property: 'text', value: 'Ada Lovelace' });
      await fixture.control('set', { widget: 'password', property: 'text', value: SECRET });
      await fixture.control('set', { widget: 'agree', property: 'checked', value: true });
      return {
        pid: fixture.pid,
        windowTitle: fixture.title,
        toolkitName,
        expected: expectedWidgets(kind)
          .filter((widget) => widget.exposed && ON_SCREEN.test(widget.id))
          // A closed menu of the bar is read as the item that opens it, whatever its role in the toolkit.
          .map(({ role, name }) => ({ role: role === 'menu' ? 'menuitem' : role, name })),
        target: named('press'),
        wasHit: async () =>
          (await fixture.events()).some((event) => event.widget === 'press' && event.event === 'clicked'),
        disabled: named('disabled'),
        box: { ...named('agree'), checked: true },
        field: { ...named('name'), text: 'Ada Lovelace' },
        focusField: async () => {
          await activate(place, fixture.title);
          await fixture.control('set', { widget: 'name', property: 'focused', value: true });
          await fixture.waitForEvent((event) => event.widget === 'name' && event.event === 'focus-in', 5000);
        },
        secret: SECRET,
        form: fixtureForm(fixture),
        openSecond: () => launchFixture(place, kind),
        stop: () => fixture.stop(),
      };
    },
  };
}

const SECRET = 's3cret-word';

/** Brings a window to the front and gives it the keyboard, as a person would. */
export function activate(place: Place, title: string): Promise<void> {
  return witnessOf(place).activate(title);
}

async function pressKey(place: Place, title: string, keys: string): Promise<void> {
  await activate(place, title);
  await witnessOf(place).press(keys);
}

async function launchFixture(place: Place, kind: FixtureKind): Promise<void> {
  const [program, args] = await fixtureCommand(kind);
  const log = join(place.folder, `${kind}.jsonl`);
  const options = ['--log', log, '--control', join(place.folder, kind), '--title', `Second ${kind}`];
  const launch = ['launch', '--wait', '--timeout', String(LAUNCH_MS), program];
  (await place.desk([...launch, '--', ...args, ...options])).ok(Launched);
}

/** Starts a browser with a page, as `desk launch` does. */
export async function launchBrowser(place: Place, program: string, page: WebPage): Promise<number> {
  const launch = ['launch', '--wait', '--timeout', String(LAUNCH_MS), program, '--', page.url];
  const { pid } = (await place.desk(launch)).ok(Launched);
  await until(async () => page.events.some((event) => event.event === 'loaded'), 'the page to load');
  await activate(place, page.title);
  return pid;
}

async function startBrowser(place: Place, program: string, toolkitName: string): Promise<Subject> {
  const page = await serveWebPage(`Our page in ${program}`);
  const pid = await launchBrowser(place, program, page);
  const button = { role: 'button', name: 'Press' } as const;
  return {
    pid,
    windowTitle: page.title,
    toolkitName,
    texts: ['Before the', 'and after it.'],
    expected: [
      button,
      { role: 'heading', name: 'Fixture page' },
      { role: 'button', name: 'Disabled' },
      { role: 'checkbox', name: 'Agree' },
      { role: 'textbox', name: 'Name' },
      { role: 'textbox', name: 'Password' },
      { role: 'textbox', name: 'Notes' },
      { role: 'slider', name: 'Volume' },
      { role: 'combobox', name: 'Colour' },
      { role: 'link', name: 'Project page' },
      { role: 'list', name: 'Fruits' },
      { role: 'table', name: 'Prices' },
    ],
    target: button,
    form: pageForm(page),
    openSecond: () => pressKey(place, page.title, 'ctrl+n'),
    wasHit: async () => page.events.some((event) => event.widget === 'press' && event.event === 'clicked'),
    disabled: { role: 'button', name: 'Disabled' },
    box: { role: 'checkbox', name: 'Ready', checked: true },
    field: { role: 'textbox', name: 'Name', text: 'Ada' },
    focusField: async () => {
      await activate(place, page.title);
      const asked = page.events.length;
      await witnessOf(place).press('F8');
      await until(
        async () => page.events.slice(asked).some((event) => event.event === 'focus-asked'),
        'the page to take F8',
      );
    },
    secret: SECRET,
    stop: async () => {
      await place.desk(['close-app', String(pid), '--force']);
      await page.close();
    },
  };
}

const TYPED = '4711';

async function startCalc(place: Place): Promise<Subject> {
  const path = join(place.folder, 'prices.fods');
  await writeSpreadsheet(path);
  const launch = ['launch', '--wait', '--timeout', String(LAUNCH_MS), 'soffice', '--', '--calc', path];
  const { window } = (await place.desk(launch)).ok(Launched);
  await place.desk(['wait', '--window', 'prices.fods', '--timeout', String(LAUNCH_MS)]);
  await activate(place, 'prices.fods');
  return {
    pid: window.pid,
    windowTitle: 'prices.fods',
    document: path,
    openSecond: () => pressKey(place, 'prices.fods', 'ctrl+n'),
    saveAll: () => pressKey(place, 'prices.fods', 'ctrl+s'),
    toolkitName: 'LibreOffice',
    expected: [
      { role: 'cell', name: 'A1' },
      { role: 'cell', name: 'D22' },
      { role: 'menuitem', name: 'File' },
      { role: 'button', name: 'Save' },
      { role: 'tab', name: 'Prices' },
    ],
    target: { role: 'cell', name: 'C5' },
    // Typed text goes to the clicked cell, which the saved file shows.
    wasHit: async () => {
      await place.run('xdotool', ['type', '--delay', '30', TYPED]);
      await place.run('xdotool', ['key', 'Return']);
      // Calc may handle a shortcut before a line that was typed earlier.
      await sleep(300);
      await place.run('xdotool', ['key', 'ctrl+s']);
      await until(async () => (await readFile(path, 'utf8')).includes(TYPED), 'the document to be saved');
      return (await readSheet(path)).cell('C5').text === TYPED;
    },
    disabled: { role: 'button', name: 'Paste' },
    box: { role: 'togglebutton', name: 'Print Preview', checked: false },
    field: { role: 'cell', name: 'A1', text: 'Item' },
    focusField: async () => {
      await activate(place, 'prices.fods');
      await place.run('xdotool', ['key', 'ctrl+Home']);
    },
    stop: async () => {
      await place.desk(['close-app', String(window.pid), '--force']);
    },
  };
}
