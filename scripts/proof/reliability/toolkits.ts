import { BROWSERS, PAGE_WIDGETS, startPage, type Browser } from '../../../fixtures/browser/driver.ts';
import { startCalc } from '../../../fixtures/calc/driver.ts';
import { startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { ALL_KINDS, expectedWidgets, FIXTURE_KINDS } from '../../../fixtures/widgets.ts';
import type { Role } from '../../../src/model/tree/role.ts';

/** Those that have the widgets of the fixtures. */
export const WITH_WIDGETS = [...ALL_KINDS, ...BROWSERS] as const;
export const TOOLKITS = [...WITH_WIDGETS, 'calc'] as const;
export type Toolkit = (typeof TOOLKITS)[number];

/** An application of one of them, with its record. */
export interface Subject extends Pick<Fixture, 'title' | 'pid' | 'control' | 'events' | 'stop'> {
  readonly kind: Toolkit;
}

/** For one that shares the machine with other applications that start. */
const START_MS = 120_000;

/** As `desk launch` starts Java: its bridge sends invalid UTF-8 for some labels, for which libdbus would abort it. */
const SURVIVING = { DBUS_FATAL_WARNINGS: '0' };

/** Everything but pages in browsers: those have no menu bar, tabs, lists or window of their own. */
export const APPLICATIONS = ALL_KINDS;

export function isBrowser(kind: Toolkit): kind is Browser {
  return BROWSERS.some((browser) => browser === kind);
}

export function startSubject(kind: Toolkit, environment: Readonly<Record<string, string>>): Promise<Subject> {
  const options = { environment: { ...environment, ...SURVIVING }, deadlineMs: START_MS };
  if (kind === 'calc') return startCalc(options);
  return isBrowser(kind) ? startPage(kind, options) : startFixture(kind, options);
}

const BOLD = { id: 'bold', role: 'togglebutton', name: 'Bold' } as const;

/** What identifies a widget in a toolkit. @throws Error if it has none of that id */
export function widgetOf(kind: Toolkit, id: string): { readonly role: Role; readonly name: string } {
  const all = kind === 'calc' ? [BOLD] : isBrowser(kind) ? PAGE_WIDGETS : expectedWidgets(kind);
  const found = all.find((widget) => widget.id === id);
  if (found === undefined) throw new Error(`no widget ${id} in ${kind}`);
  return found;
}

/** The four that have most of the attempts, and those that join them afterwards: all together would be too much for a small machine. */
export const WAVES: readonly (readonly Toolkit[])[] = [
  FIXTURE_KINDS,
  TOOLKITS.filter((kind) => !isMain(kind)),
];

export function isMain(kind: Toolkit): kind is (typeof FIXTURE_KINDS)[number] {
  return FIXTURE_KINDS.some((main) => main === kind);
}

/** The time that each wave gets, by the attempts that its longest lane has left. */
export function sharesOf(totalMs: number, left: readonly number[]): number[] {
  const all = left.reduce((sum, each) => sum + each, 0);
  return left.map((each) => (all === 0 ? 0 : (totalMs * each) / all));
}
