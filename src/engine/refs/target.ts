import type { Healed } from '../../model/effects/effect.ts';
import type { ElementRecord } from '../../model/refs/ref-document.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Session } from './session.ts';
import { windowKey } from './window-identity.ts';

/** An element that was read a moment ago and is the one the ref names. */
export interface ResolvedTarget {
  readonly ref: string;
  readonly record: ElementRecord;
  readonly node: NodeDetails;
  /** It replaces an element that a locator did not find. */
  readonly healed?: Healed | undefined;
}

const LONGEST_NAME = 120;

/** A whole window as the target of an act: for keys that go to the focus, or a click at a point. */
export async function windowTarget(
  { desktop, session }: { readonly desktop: DesktopPort; readonly session: Session },
  window: DesktopWindow,
  options: CallOptions,
): Promise<ResolvedTarget> {
  const ref = await session.edit((table) => table.refForWindow(window));
  const name = clip(window.title, LONGEST_NAME);
  const root = window.root && (await desktop.describe(window.root, options).catch(() => undefined));
  return {
    ref,
    record: windowRecord({
      ref,
      app: window.root?.app ?? '',
      path: root === undefined ? '' : (window.root?.path ?? ''),
      role: root?.role ?? 'window',
      name,
      window: windowKey(window),
    }),
    node: root ?? bareWindow(window.root?.app ?? '', name),
  };
}

/** An element in messages: `@e3 (button "OK")`. */
export function named(ref: string, node: { readonly role: string; readonly name?: string }): string {
  return `${ref} (${withName(node)})`;
}

/** `button "OK"`, or only the role if there is no name. */
export function withName({ role, name = '' }: { readonly role: string; readonly name?: string }): string {
  const shown = name.trim();
  return shown === '' ? role : `${role} ${quoteClipped(shown)}`;
}

/** Whether the target is a window without an accessible tree. */
export function hasNoTree({ record }: ResolvedTarget): boolean {
  return record.path === '';
}

/** The whole screen as the target of an act. */
export const SCREEN: ResolvedTarget = {
  ref: '',
  record: windowRecord({ name: 'screen' }),
  node: bareWindow('', 'screen', 'screen'),
};

function windowRecord(known: Partial<ElementRecord>): ElementRecord {
  const position = { window: '', trail: [], neighbours: [], has_twin: false };
  return { ref: '', app: '', path: '', role: 'window', name: '', ...position, ...known };
}

function bareWindow(app: string, name: string, nativeRole = 'window'): NodeDetails {
  return {
    handle: { app, path: '' },
    role: 'window',
    nativeRole,
    name,
    states: [],
    attributes: {},
    relations: [],
    interfaces: [],
  };
}
