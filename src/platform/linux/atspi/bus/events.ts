import type { DesktopEvent, DesktopEventKind } from '../../../../ports/desktop/events.ts';
import type { SignalMessage } from '../../dbus/index.ts';

const PREFIX = 'org.a11y.atspi.Event.';

const KINDS: Readonly<Record<string, DesktopEventKind>> = {
  'Object.StateChanged': 'state-changed',
  'Object.PropertyChange': 'name-changed',
  'Object.TextChanged': 'text-changed',
  'Object.TextCaretMoved': 'caret-moved',
  'Object.TextSelectionChanged': 'caret-moved',
  'Object.ChildrenChanged': 'children-changed',
  'Object.SelectionChanged': 'selection-changed',
  'Window.Create': 'window-opened',
  'Window.Destroy': 'window-closed',
  'Window.Close': 'window-closed',
  'Window.Activate': 'window-changed',
  'Window.Deactivate': 'window-changed',
};

/** Properties whose changes a person would notice; parents and table headers are covered by other events or irrelevant. */
const REPORTED_PROPERTIES = new Set(['accessible-name', 'accessible-description', 'accessible-value']);

/** The parts of a signal that are used here. */
type Signal = Pick<SignalMessage, 'interface' | 'member' | 'sender' | 'path' | 'signature' | 'reader'>;

/** Our event for an AT-SPI signal, or `undefined` for one we do not use. */
export function toDesktopEvent(message: Signal, atMs: number): DesktopEvent | undefined {
  if (!message.interface.startsWith(PREFIX) || message.sender === undefined) return undefined;
  const kind = KINDS[`${message.interface.slice(PREFIX.length)}.${message.member}`];
  if (!kind) return undefined;
  const details = readDetails(message);
  if (!details || (kind === 'name-changed' && !REPORTED_PROPERTIES.has(details.text))) return undefined;
  return {
    kind: refine(kind, details.text),
    node: { app: message.sender, path: message.path },
    detail: kind === 'state-changed' ? `${details.text}=${details.number}` : details.text,
    atMs,
  };
}

/**
 * The first two arguments, which begin both body layouts: `siiva{sv}` (ATK, GTK 4) and `siiv(so)` (Qt). The rest may be
 * an entire text. `undefined` for any other body: no application may crash this program.
 */
function readDetails(message: Signal): { text: string; number: number } | undefined {
  if (!message.signature.startsWith('sii')) return undefined;
  try {
    const reader = message.reader();
    return { text: reader.readString(), number: reader.readInt32() };
  } catch {
    return undefined;
  }
}

function refine(kind: DesktopEventKind, detail: string): DesktopEventKind {
  if (kind === 'state-changed' && detail === 'focused') return 'focus-changed';
  if (kind === 'name-changed' && detail === 'accessible-value') return 'value-changed';
  return kind;
}
