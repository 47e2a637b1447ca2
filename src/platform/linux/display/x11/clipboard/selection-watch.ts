import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { SelectionClient } from './selection-client.ts';

/** A client takes it, or its owner's window or connection closes. */
const EVERY_CHANGE = 1 | 2 | 4;

/**
 * Calls `onChange` whenever the owner of the clipboard changes. The content is not read: some owners send it only once, and
 * it may not be needed. Resolves when all later changes will be reported.
 * @throws DeskterityError ACTION_NOT_SUPPORTED if the server cannot report changes
 */
export async function watchSelection(client: SelectionClient, onChange: () => void): Promise<void> {
  const clipboard = client.atom('CLIPBOARD');
  const fixes = await client.wire.extension('fixes');
  if (fixes === undefined)
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      'This display cannot report clipboard changes: it lacks the XFIXES extension.',
      { suggestion: 'Read the clipboard when you need it.' },
    );
  client.wire.onEvent(({ name, selection }) => {
    if (name === 'SelectionNotify' && selection === clipboard) onChange();
  });
  client.wire.send(() => {
    fixes.SelectSelectionInput(client.window, clipboard, EVERY_CHANGE);
  });
  // It has no reply; a reply to a later request shows that it was processed.
  await client.ownerOf('CLIPBOARD');
}
