import type { JournalKind } from '../../model/journal/entry.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';

export interface ElementChange {
  readonly kind: JournalKind;
  /** The state that changed, such as `checked=1`. */
  readonly detail?: string | undefined;
  /** What was done to a text, if its toolkit says so: replacing one is reported as both. */
  readonly edit?: 'delete' | 'insert' | undefined;
}

/** States that a reader cares about; the others follow the pointer, the layout or the focus. */
const STATES: Readonly<Record<string, string>> = {
  checked: 'checked',
  expanded: 'expanded',
  enabled: 'enabled',
};

const EDITS = ['delete', 'insert'] as const;

/** What an event of an application means to the journal; `undefined` for what it leaves out. */
export function toChange({ kind, detail }: DesktopEvent): ElementChange | undefined {
  switch (kind) {
    case 'value-changed':
      return { kind: 'value_changed' };
    case 'text-changed':
      return { kind: 'text_changed', edit: EDITS.find((edit) => detail.startsWith(edit)) };
    case 'selection-changed':
      return { kind: 'selection_changed' };
    case 'name-changed':
      return detail.includes('description') ? undefined : { kind: 'name_changed' };
    case 'focus-changed':
      return detail.endsWith('=0') ? undefined : { kind: 'focus_changed' };
    case 'state-changed': {
      const [name = '', value = ''] = detail.split('=');
      const state = Object.hasOwn(STATES, name) ? STATES[name] : undefined;
      return state === undefined ? undefined : { kind: 'state_changed', detail: `${state}=${value}` };
    }
    default:
      return undefined;
  }
}
