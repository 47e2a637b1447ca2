import { DeskterityError } from '../../../../model/effects/errors.ts';
import { mentionCommand } from '../../../../model/text/mention.ts';
import type { ActOutcome, TextChange, TextEditing } from '../../../../ports/desktop/acts.ts';
import { unsupported } from '../../failures.ts';
import { readWith } from '../bus/application.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import { callElement, deliver, readWritable, refuseOutsideBasicPlane, type ActTarget } from './actions.ts';
import { standIns } from './stand-ins.ts';
import { MEASURES } from './text-measures.ts';

const DOING = 'Changing a part of the text';

/** Whether a part of a text can be changed, and whether the whole has one formatting. */
export async function readTextEditing(target: ActTarget): Promise<TextEditing> {
  const { interfaces, role } = await readWritable(target, DOING);
  const { kind } = target.application.traits;
  const changesParts =
    MEASURES[kind] !== undefined &&
    standIns('type', kind, role).length > 0 &&
    (interfaces & (IMPLEMENTS.EDITABLE_TEXT | IMPLEMENTS.VALUE)) === IMPLEMENTS.EDITABLE_TEXT;
  if (!changesParts) return { changesParts, isFormatted: true };
  return readWith(target, 'Reading the formatting', async (channel) => {
    const { connection, templates } = channel;
    const { node, options } = target;
    const count = await connection.invoke(templates.characterCount, node.path, options);
    if (count === 0) return { changesParts, isFormatted: false };
    const [, start, end] = await callElement(channel, target, {
      interface: INTERFACE.TEXT,
      member: 'GetAttributeRun',
      signature: 'ib',
      args: [0, false],
    });
    const isOneRun = typeof start === 'number' && start <= 0 && typeof end === 'number' && end >= count;
    return { changesParts, isFormatted: !isOneRun };
  });
}

/**
 * Removes a part of a text and inserts another one in its place; the rest is not written.
 * @throws DeskterityError CONFLICT if the text is not the one that the change was made for; nothing was sent then
 */
export async function changeText(target: ActTarget, change: TextChange): Promise<ActOutcome> {
  const { application, node, options } = target;
  const measures = MEASURES[application.traits.kind];
  const { changesParts } = await readTextEditing(target);
  if (!measures || !changesParts)
    throw unsupported(
      `${application.traits.title} does not change a part of this text through accessibility.`,
      'Edit it with the keyboard.',
    );
  const { text, at, removed, inserted } = change;
  refuseOutsideBasicPlane(application, inserted);
  const start = measures.offset(Array.from(text).slice(0, at).join(''));
  const end = start + measures.offset(removed);
  await readWith(target, 'Reading the text', async (channel) => {
    const count = await channel.connection.invoke(channel.templates.characterCount, node.path, options);
    const whole = { interface: INTERFACE.TEXT, member: 'GetText', signature: 'ii', args: [0, count] };
    const [now] = await callElement(channel, target, whole);
    if (now !== text || count !== measures.offset(text)) throw anotherText();
  });
  const via = 'at-spi:EditableText.DeleteText, InsertText';
  return deliver(target, via, DOING, async ({ send }) => {
    const edit = (member: string, signature: string, args: readonly (string | number)[]) =>
      send({ interface: INTERFACE.EDITABLE_TEXT, member, signature, args });
    if (removed !== '' && !(await edit('DeleteText', 'ii', [start, end]))) return false;
    return inserted === '' || edit('InsertText', 'isi', [start, inserted, measures.length(inserted)]);
  });
}

function anotherText(): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    'The text of the element is not the one that the change was made for. Nothing was sent.',
    { suggestion: `Look with ${mentionCommand('snapshot')}.`, delivered: false },
  );
}
