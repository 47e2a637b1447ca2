import type { Seen } from './tree.ts';

/** Opened by links, and applications of their own: what is in them says nothing about the one that is worked. */
const BROWSERS = new Set(['Gecko', 'Chromium']);

/** Whether a browser shows a window, other than an application of the given toolkit. */
export function isBrowserOpen({ applications }: Seen, own = ''): boolean {
  return applications.some(
    ({ toolkit, windows }) => windows.length > 0 && BROWSERS.has(toolkit) && !own.startsWith(toolkit),
  );
}
