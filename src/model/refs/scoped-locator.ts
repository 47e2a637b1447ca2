import { parseLocator, printLocator } from './locator.ts';
import { parseRef } from './ref.ts';

/** Where a locator searches. */
export interface LocatorScope {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
}

/** The target with an application and a window for a locator that names none. References stay as they are. */
export function scopedTarget(target: string, { app, window }: LocatorScope): string {
  if ((app === undefined && window === undefined) || parseRef(target) !== undefined) return target;
  const locator = parseLocator(target);
  return printLocator({
    ...locator,
    app: locator.app ?? app,
    // A window of another application is not meant.
    window: locator.window ?? (locator.app === undefined ? window : undefined),
  });
}
