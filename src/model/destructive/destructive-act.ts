import { roleSet, type Role } from '../tree/role.ts';
import { isDestructiveName, isMenuTitle, isTrash } from './words.ts';

/** How keys reach what they press: a shortcut of it, Enter in its dialog, a key that stays down; `perhaps` if the application does not say. */
export type PressedBy = 'shortcut' | 'default' | 'held' | 'perhaps';

/** What is done to an element, as far as it matters here. */
export interface PressedElement {
  /** The kind of act. */
  readonly act: string;
  readonly role: Role;
  readonly name: string;
  readonly description?: string | undefined;
  readonly pressedBy?: PressedBy | undefined;
  /** The role of what contains it, if that is known. */
  readonly container?: Role | undefined;
}

/** Acts that do not press what they are done to. */
const HARMLESS: ReadonlySet<string> = new Set(['hover', 'scroll', 'focus', 'press', 'mouse', 'key-up']);

/** Commands that press what has the keyboard focus or is at a point. */
const PRESSING: ReadonlySet<string> = new Set([
  'press',
  'key-down',
  'mouse click',
  'mouse down',
  'mouse up',
  'drag',
  'menu',
]);

/** What a command does to the element that it reaches, as the kind of act. */
export function actOfCommand(command: string): string {
  if (PRESSING.has(command)) return 'click';
  return command.startsWith('mouse ') ? 'mouse' : command;
}

/** Roles that do something when they are pressed. A row called "Deleted items" is only chosen. */
const PRESSED = roleSet('button', 'togglebutton', 'menuitem', 'link');

/** Whether pressing an element may lose something, by what it is called. */
export function isDestructive(element: Pick<PressedElement, 'role' | 'name' | 'description'>): boolean {
  return whatIsLost(element) !== undefined;
}

/** Why an act may lose something, as a phrase; `undefined` if nothing says so. Its name is what an application says: one that lies is not seen through. */
export function whyDestructive({
  act,
  pressedBy,
  container,
  ...element
}: PressedElement): string | undefined {
  if (pressedBy === 'held') return 'the key repeats while it is held, and presses whatever gets the focus';
  if (act === 'drop' && isTrash(element.name)) return 'what is dropped there is thrown away';
  if (HARMLESS.has(act)) return undefined;
  // Qt calls the menus of a menu bar items of it.
  if (container === 'menubar' && isMenuTitle(element.name)) return undefined;
  // Menus are used with any button.
  if (act === 'right-click' && element.role !== 'menuitem') return undefined;
  const lost = whatIsLost(element);
  return lost !== undefined && pressedBy === 'perhaps'
    ? `${lost}, and its application does not say what these keys press`
    : lost;
}

function whatIsLost({
  role,
  name,
  description,
}: Pick<PressedElement, 'role' | 'name' | 'description'>): string | undefined {
  if (!PRESSED.has(role)) return undefined;
  if (isDestructiveName(name)) return 'its name says that something is lost, sent or paid';
  // A button with a picture has only that.
  return name.trim() === '' && isDestructiveName(description)
    ? 'its description says that something is lost, sent or paid'
    : undefined;
}

/**
 * Commands that lose something whatever they are done to. Not here: `session kill`, `terminal close` and `terminal kill`, which end what the caller has
 * started itself; `clipboard clear` and the like, which `undo` brings back; `close-app` and `close-window`, which let the application ask; keys, which are
 * judged by what they press.
 */
export function whyDestructiveCommand(
  command: string,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  return command === 'close-app' && input['force'] === true
    ? 'it kills the process, and unsaved work is lost'
    : undefined;
}
