import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { roleSet } from '../../model/tree/role.ts';
import { differenceBetween } from '../../model/undo/text-difference.ts';
import type { TextEditing } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';

const FIELDS = roleSet('textbox', 'searchbox');
/** A cell of a sheet is reported as taking several lines. */
const ENTRIES = roleSet('cell', 'gridcell', 'combobox', 'spinbutton');
const PLAIN_TAGS = new Set(['input', 'textarea']);
/** Stands in a text for an element in it, such as a picture. */
const OBJECT = '\uFFFC';

/** Of a text that may have more to it than its characters. */
const UNKNOWN: TextEditing = { changesParts: false, isFormatted: true };

/** Whether an element may hold text with formatting, pictures or other elements, which writing it anew would lose. */
export function mayHoldFormat(node: NodeDetails): boolean {
  const { interfaces, states, role, attributes, text = '' } = node;
  if (!interfaces.includes('EditableText') && !states.includes('editable')) return false;
  const { tag } = attributes;
  if (tag !== undefined) return !PLAIN_TAGS.has(tag.toLowerCase());
  if (ENTRIES.has(role) || node.range !== undefined) return text.includes(OBJECT);
  return states.includes('multiline') || !FIELDS.has(role) || text.includes(OBJECT);
}

/** What can be done to the text of an element without losing what else is in it; `undefined` for a plain field. */
export async function textEditingOf(
  desktop: DesktopPort,
  node: NodeDetails,
  options: CallOptions,
): Promise<TextEditing | undefined> {
  if (!mayHoldFormat(node)) return undefined;
  const editing = await desktop.textEditing(node.handle, options).catch((error: unknown) => {
    if (!(error instanceof DeskterityError)) throw error;
    return UNKNOWN;
  });
  return { ...editing, isFormatted: editing.isFormatted || (node.text ?? '').includes(OBJECT) };
}

/** What an act did to a text. */
export interface TextAct {
  /** What the text was like before the act. */
  readonly editing: TextEditing | undefined;
  readonly before: string;
  readonly after: string;
  /** It wrote the text as a whole. */
  readonly isWhole: boolean;
}

/** Why going back to the text before an act would lose formatting; `undefined` if it would not. */
export function whyFormatIsLost({ editing, before, after, isWhole }: TextAct): string | undefined {
  const difference = differenceBetween(after, before);
  if (editing === undefined || difference === undefined) return undefined;
  if (!editing.isFormatted) return undefined;
  if (isWhole && before !== '')
    return 'it replaced a text that may have formatting, which cannot be put back';
  if (!editing.changesParts)
    return 'a part of its text cannot be changed alone, and writing it anew would lose formatting';
  if (difference.inserted !== '') return 'it removed text that may have formatting, which cannot be put back';
  return difference.isAmbiguous
    ? 'the characters beside it are the same, so which of them it added is not known, and they may differ in formatting'
    : undefined;
}

/** Nothing was sent. */
export function formatWouldBeLost(what: string): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `The text of ${what} can be brought back only by writing it anew, and its formatting would be lost. Nothing was sent.`,
    {
      suggestion: `Undo it in the application: ${mentionCommand('press', { keys: 'ctrl+z' })}.`,
      delivered: false,
    },
  );
}
