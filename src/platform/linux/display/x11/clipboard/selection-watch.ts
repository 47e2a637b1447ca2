import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { SelectionClient } from './selection-client.ts';

/** A program takes it, or the window or the connection of the one that has it ends. */
const EVERY_CHANGE = 1 | 2 | 4;

/**
 * Calls `onChange` whenever the clipboard gets another owner or none. What is on it is not asked for: that would use up what is given only
 * once, and ask programs for texts that nobody wants. Resolves when every later change will be told.
 * @throws DeskterityError ACTION_NOT_SUPPORTED where the server cannot tell
 */
export async function watchSelection(client: SelectionClient, onChange: () => void): Promise<void> {
  const clipboard = client.atom('CLIPBOARD');
  const fixes = await client.wire.extension('fixes');
  if (fixes === undefined)
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      'This display cannot tell of changes of the clipboard: it has no XFIXES extension.',
      { suggestion: 'Read the clipboard when it is wanted.' },
    );
  client.wire.onEvent(({ name, selection }) => {
    if (name === 'SelectionNotify' && selection === clipboard) onChange();
  });
  client.wire.send(() => {
    fixes.SelectSelectionInput(client.window, clipboard, EVERY_CHANGE);
  });
  // It has no answer; what is answered after it was asked for after it.
  await client.ownerOf('CLIPBOARD');
}
