import type { DesktopEvent, DesktopEventKind } from '../../../ports/desktop.ts';
import type { SignalMessage } from '../dbus/index.ts';

const PREFIX = 'org.a11y.atspi.Event.';

const KINDS: Readonly<Record<string, DesktopEventKind>> = {
  'Object.StateChanged': 'state-changed',
  'Object.PropertyChange': 'name-changed',
  'Object.TextChanged': 'text-changed',
  'Object.ChildrenChanged': 'children-changed',
  'Object.SelectionChanged': 'selection-changed',
  'Window.Create': 'window-opened',
  'Window.Destroy': 'window-closed',
  'Window.Close': 'window-closed',
  'Window.Activate': 'window-changed',
  'Window.Deactivate': 'window-changed',
};

/**
 * Our event for an AT-SPI signal, or `undefined` for one we do not use. The first argument is the detail in both body layouts,
 * `siiva{sv}` (ATK, GTK 4) and `siiv(so)` (Qt).
 */
export function toDesktopEvent(message: SignalMessage, atMs: number): DesktopEvent | undefined {
  if (!message.interface.startsWith(PREFIX) || message.sender === undefined) return undefined;
  const kind = KINDS[`${message.interface.slice(PREFIX.length)}.${message.member}`];
  if (!kind) return undefined;
  const [detail, state] = message.body;
  const text = typeof detail === 'string' ? detail : '';
  const on = typeof state === 'number' ? state : 0;
  return {
    kind: refine(kind, text),
    node: { app: message.sender, path: message.path },
    detail: kind === 'state-changed' ? `${text}=${on}` : text,
    atMs,
  };
}

function refine(kind: DesktopEventKind, detail: string): DesktopEventKind {
  if (kind === 'state-changed' && detail === 'focused') return 'focus-changed';
  if (kind === 'name-changed' && detail === 'accessible-value') return 'value-changed';
  return kind;
}
