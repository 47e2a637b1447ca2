import { roleSet, type Role } from '../tree/role.ts';
import { isDestructiveName } from './words.ts';

/** What is done to an element, as far as it matters here. */
export interface PressedElement {
  /** The kind of act. */
  readonly act: string;
  readonly role: Role;
  readonly name: string;
  readonly description?: string | undefined;
}

/** Acts that press what they are done to. */
const PRESSING: ReadonlySet<string> = new Set(['click', 'double-click', 'triple-click', 'toggle', 'drag']);

/** Roles that do something when they are pressed. A row called "Deleted items" is only chosen. */
const PRESSED = roleSet('button', 'togglebutton', 'menuitem', 'link');

/** Why an act may lose something, as a phrase; `undefined` if nothing says so. Its name is what an application says: one that lies is not seen through. */
export function whyDestructive({ act, role, name, description }: PressedElement): string | undefined {
  if (!PRESSING.has(act) || !PRESSED.has(role)) return undefined;
  if (isDestructiveName(name)) return 'its name says that something is lost, sent or paid';
  // A button with a picture has only that.
  return name.trim() === '' && isDestructiveName(description)
    ? 'its description says that something is lost, sent or paid'
    : undefined;
}

/**
 * Commands that lose something whatever they are done to. Not here: `session kill`, `terminal close` and `terminal kill`, which end what the caller has
 * started itself; `clipboard clear` and the like, which `undo` brings back; `close-app` and `close-window`, which let the application ask; keys, since what
 * Delete does depends on where they go.
 */
export function whyDestructiveCommand(
  command: string,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  return command === 'close-app' && input['force'] === true
    ? 'it kills the process, and unsaved work is lost'
    : undefined;
}
