import type { Batch } from '../../dbus/index.ts';
import type { Channel } from '../bus/application.ts';
import { IMPLEMENTS, interfaceSet } from '../tree/cache-items.ts';
import { NULL_PATH } from '../tree/names.ts';
import type { RawNode } from '../tree/raw-node.ts';
import { hasState, STATE } from '../tree/states.ts';

/**
 * Reads the chosen option of a combo box without text. GTK and LibreOffice select in the box itself; browsers have the
 * options in a menu inside it, which is hidden while the list is closed but can still be queried.
 */
export function requestChoice(channel: Channel, batch: Batch, combobox: RawNode): void {
  if (implementsSelection(combobox)) {
    requestSelected(channel, batch, combobox.path, combobox);
    return;
  }
  const [list] = combobox.children;
  if (!list) return;
  const chosen = list.children.find(
    (option) => hasState(option.states, STATE.SELECTED) && option.name !== '',
  );
  if (chosen) {
    combobox.value = chosen.name;
    return;
  }
  if (list.interfaces !== undefined) {
    if (implementsSelection(list)) requestSelected(channel, batch, list.path, combobox);
    return;
  }
  batch.request(channel.templates.interfaces, list.path, (_error, names) => {
    list.interfaces = interfaceSet(names ?? []);
    if (implementsSelection(list)) requestSelected(channel, batch, list.path, combobox);
  });
}

function implementsSelection(node: RawNode): boolean {
  return ((node.interfaces ?? 0) & IMPLEMENTS.SELECTION) !== 0;
}

function requestSelected(channel: Channel, batch: Batch, path: string, combobox: RawNode): void {
  const { templates } = channel;
  batch.request(templates.selectedCount, path, (_error, count) => {
    if (count === undefined || count <= 0) return;
    batch.request(templates.selectedChild, path, (_childError, child) => {
      if (!child || !child.path.startsWith('/') || child.path === NULL_PATH) return;
      batch.request(templates.name, child.path, (_nameError, name) => {
        if (name) combobox.value = name;
      });
    });
  });
}
