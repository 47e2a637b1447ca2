import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../src/ports/desktop/windows.ts';

/** One application with a few known widgets, and its own record of what happened to it: the oracle of the contract suite. */
export interface ContractWorld {
  readonly desktop: DesktopPort;
  readonly pid: number;
  readonly title: string;
  /** Time for things to happen: real or virtual. */
  sleep(ms: number): Promise<void>;
  /** What the application itself says: presses of "Press", text of "Name", value of "Volume". */
  pressCount(): Promise<number>;
  nameText(): Promise<string>;
  volume(): Promise<number>;
  rename(widget: 'press', label: string): Promise<void>;
  remove(widget: 'press'): Promise<void>;
  /** The application opens a modal dialog by itself, "Confirm", or closes it. */
  showDialog(isOpen: boolean): Promise<void>;
  freeze(ms: number): Promise<void>;
  /** Some application sends a notification, which nothing shows. */
  notify(summary: string): Promise<void>;
  /** What this kind of desktop does not have, so that the contract cannot ask for it. */
  readonly lacks?: ReadonlySet<Lack> | undefined;
  /** The id of a window that is not there. */
  readonly missingWindowId?: string | undefined;
  stop(): Promise<void>;
}

/** A probe window; maximized windows; which window a dialog is for, and whether it is modal; when an application took input in. */
export type Lack = 'probe' | 'maximize' | 'parents' | 'modality' | 'times';

export async function windowOf(world: ContractWorld, deadlineMs = 5000): Promise<DesktopWindow> {
  const windows = await world.desktop.listWindows({ deadlineMs, pid: world.pid });
  const found = windows.find((window) => window.title === world.title);
  if (!found) throw new Error(`no window ${world.title} among ${JSON.stringify(windows)}`);
  return found;
}
