import type { SignalMessage } from '../../dbus/index.ts';
import { STATE } from '../tree/states.ts';
import { readReference } from '../tree/templates.ts';
import type { Mirror } from './mirror.ts';

/** The parts of a signal that are used here. */
export type Signal = Pick<SignalMessage, 'interface' | 'member' | 'path' | 'signature' | 'reader'>;

const EVENT = 'org.a11y.atspi.Event.';
/** The interfaces of the signals that {@link noteChange} understands. */
export const CHANGE_INTERFACES = [
  `${EVENT}Object`,
  `${EVENT}Window`,
  `${EVENT}Document`,
  'org.a11y.atspi.Cache',
] as const;

/** Events about what is never kept. */
const IRRELEVANT = new Set([
  'TextCaretMoved',
  'TextSelectionChanged',
  'TextAttributesChanged',
  'BoundsChanged',
  'LinkSelected',
]);

/** States that an element shares with what is in it, although only it reports them. */
const SHARED_STATES = new Set(['showing', 'visible', 'sensitive', 'enabled', 'iconified']);

/** States that change when an object comes, goes or moves. */
const STRUCTURAL_STATES = new Set(['showing', 'visible', 'defunct']);

/** States that one element of a window has: not every toolkit reports who lost it. */
const MOVING_STATES: Readonly<Record<string, number>> = { focused: STATE.FOCUSED, active: STATE.ACTIVE };

/** Forgets what a signal of an application says may have changed. */
export function noteChange(mirror: Mirror, message: Signal): void {
  const { path } = message;
  switch (message.interface) {
    case `${EVENT}Object`:
      noteObject(mirror, message);
      return;
    case `${EVENT}Window`:
      mirror.stateMoved(STATE.ACTIVE);
      mirror.changed(path);
      return;
    case `${EVENT}Document`:
      mirror.replaced(path);
      return;
    default: {
      const object = cached(message);
      if (object !== undefined) mirror.replaced(object);
    }
  }
}

function noteObject(mirror: Mirror, message: Signal): void {
  const { member, path } = message;
  if (IRRELEVANT.has(member)) return;
  switch (member) {
    case 'StateChanged':
      noteState(mirror, path, detail(message) ?? '');
      return;
    case 'PropertyChange':
      if (detail(message) === 'accessible-parent') mirror.restructured();
      mirror.changedAround(path);
      return;
    case 'TextChanged':
      mirror.changedAround(path);
      return;
    case 'ChildrenChanged': {
      mirror.restructured();
      const child = subject(message);
      if (child !== undefined) mirror.replaced(child);
      mirror.changedAround(path);
      return;
    }
    case 'SelectionChanged':
    case 'ActiveDescendantChanged':
      mirror.changedAround(path);
      mirror.changedInside(path);
      return;
    case 'AttributesChanged':
      mirror.changed(path);
      return;
    default:
      // Rows, columns and whole models.
      mirror.replaced(path);
  }
}

function noteState(mirror: Mirror, path: string, state: string): void {
  if (STRUCTURAL_STATES.has(state)) mirror.restructured();
  if (state === 'defunct') {
    mirror.replaced(path);
    return;
  }
  const moving = MOVING_STATES[state];
  if (moving !== undefined) mirror.stateMoved(moving);
  if (SHARED_STATES.has(state)) mirror.changedInside(path);
  mirror.changed(path);
}

function detail(message: Signal): string | undefined {
  if (!message.signature.startsWith('s')) return undefined;
  try {
    return message.reader().readString();
  } catch {
    return undefined;
  }
}

/** The object that an event names beside its own, such as a new child. */
function subject(message: Signal): string | undefined {
  if (!message.signature.startsWith('siiv')) return undefined;
  try {
    const reader = message.reader();
    reader.readString();
    reader.readInt32();
    reader.readInt32();
    return reader.readSignature() === '(so)' ? readReference(reader).path : undefined;
  } catch {
    return undefined;
  }
}

/** The object that entered or left a toolkit's own cache. */
function cached(message: Signal): string | undefined {
  try {
    const reader = message.reader();
    if (message.signature.startsWith('((so)')) reader.align(8);
    else if (!message.signature.startsWith('(so)')) return undefined;
    return readReference(reader).path;
  } catch {
    return undefined;
  }
}
