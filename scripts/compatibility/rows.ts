import path from 'node:path';
import { z } from 'zod';

/** A kind of display whose half of the page is tested by itself. */
export const DISPLAYS = ['x11', 'wayland'] as const;
export type TestedDisplay = (typeof DISPLAYS)[number];

/** Where test files write their rows. */
export function resultsFolder(display: TestedDisplay): string {
  return path.resolve('node_modules/.cache/deskterity', `compatibility-${display}`);
}

/** The variable with the display that end-to-end tests run on. */
export const TEST_DISPLAY = 'DESKTERITY_TEST_DISPLAY';

export const OUTCOMES = ['works', 'refused', 'fails', 'skipped'] as const;

/** What one command does with one toolkit, as a test saw it. */
export const CompatibilityRow = z.object({
  toolkit: z.string(),
  command: z.string(),
  outcome: z.enum(OUTCOMES),
  /** Why it is refused, fails or was skipped. */
  reason: z.string().optional(),
});
export type CompatibilityRow = z.output<typeof CompatibilityRow>;

export const TOOLKITS = [
  'GTK 3',
  'GTK 4',
  'Qt 5',
  'Qt 6',
  'Swing',
  'LibreOffice Calc',
  'Firefox',
  'Chromium',
] as const;

/** On Wayland so far those of our own windows. The tests of Calc look for menus and for the pointer, which sway does not tell. */
export const TOOLKITS_ON: Readonly<Record<TestedDisplay, readonly string[]>> = {
  x11: TOOLKITS,
  wayland: ['GTK 3', 'GTK 4', 'Qt 5', 'Qt 6'],
};

export const READING_COMMANDS = [
  'list-apps',
  'list-windows',
  'snapshot',
  'find',
  'get',
  'is',
  'focused',
  'screenshot',
  'status',
  'permissions',
  'version',
] as const;

export const ACTING_COMMANDS = [
  'click',
  'set-value',
  'type',
  'clear',
  'toggle',
  'select',
  'expand',
  'collapse',
  'focus',
  'menu',
] as const;

export const INPUT_COMMANDS = [
  'press',
  'key-down',
  'key-up',
  'double-click',
  'right-click',
  'hover',
  'scroll',
  'scroll --to',
  'drag',
  'mouse move',
  'mouse click',
  'mouse down',
  'mouse up',
  'mouse wheel',
] as const;

export const WINDOW_COMMANDS = [
  'launch',
  'focus-window',
  'move-window',
  'resize-window',
  'minimize',
  'maximize',
  'restore',
  'close-window',
  'close-app',
] as const;

export const WAITING_COMMANDS = [
  'snapshot --since',
  'clipboard set',
  'clipboard get',
  'expect',
  'wait --element',
  'wait --value',
  'wait --text',
  'wait --focused',
  'wait --gone',
  'wait --window',
] as const;

/** What every test run tries on every toolkit. The whole table takes minutes and is tested only with {@link WHOLE_TABLE} set. */
export const ALWAYS_TESTED: readonly Command[] = [...READING_COMMANDS, 'click', 'set-value'];

/** The variable that makes the tests fill the whole table. */
export const WHOLE_TABLE = 'DESKTERITY_TEST_WHOLE_TABLE';

/** The sections of the page. */
export const SECTIONS = [
  { title: 'Reading', commands: READING_COMMANDS },
  { title: 'Acting', commands: ACTING_COMMANDS },
  { title: 'Keyboard and pointer', commands: INPUT_COMMANDS },
  { title: 'Applications and windows', commands: WINDOW_COMMANDS },
  { title: 'Clipboard and waiting', commands: WAITING_COMMANDS },
] as const;

export type Command = (typeof SECTIONS)[number]['commands'][number];

export const COMMANDS: readonly Command[] = SECTIONS.flatMap(({ commands }) => commands);
