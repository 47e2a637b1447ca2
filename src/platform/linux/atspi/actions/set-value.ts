import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { ActOutcome } from '../../../../ports/desktop/acts.ts';
import { Variant } from '../../dbus/index.ts';
import { unsupported } from '../../failures.ts';
import type { Application } from '../bus/application.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import {
  askRole,
  deliver,
  deliverCall,
  readWritable,
  refuseOutsideBasicPlane,
  type ActTarget,
} from './actions.ts';
import { replyOrLoop } from './reply.ts';
import { standIns, type StandIn } from './stand-ins.ts';

/** Writes a value through Value (numbers) or EditableText. The caller must read it back. */
export async function setValue(target: ActTarget, value: string): Promise<ActOutcome> {
  const { application, node, options } = target;
  const { interfaces, role, isMultiline } = await readWritable(target, 'Reading what the element supports');
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const rowFor = (method: string): StandIn | undefined =>
    standIns('set-value', application.traits.kind, role).find(({ actions }) => actions.includes(method));
  const isEditable = (interfaces & IMPLEMENTS.EDITABLE_TEXT) !== 0;
  const hasValue = (interfaces & IMPLEMENTS.VALUE) !== 0;
  if (hasValue && application.traits.numbersAreReadOnly) throw numberRefusal(application);
  if (hasValue && Number.isFinite(number) && rowFor('Value.CurrentValue')) {
    const variant = new Variant('d', number);
    const via = 'at-spi:Value.CurrentValue';
    return deliver(target, via, 'Setting the value', ({ channel: { connection, destination } }) => {
      const property = [INTERFACE.VALUE, 'CurrentValue'] as const;
      const writing = connection.setProperty(destination, node.path, ...property, variant, options);
      const accepting = writing.then(() => true);
      return replyOrLoop(accepting, () => askRole(target));
    });
  }
  const writing = rowFor('EditableText.SetTextContents');
  // A spin button also has a text, but writing words there clears the field and leaves the number unchanged.
  if (isEditable && !hasValue && writing) {
    refuseOutsideBasicPlane(application, value);
    if (application.traits.textResets && isMultiline) return rewrite(target, value);
    const method = { interface: INTERFACE.EDITABLE_TEXT, member: 'SetTextContents' };
    const call = { ...method, signature: 's', args: [value] };
    const outcome = await deliverCall(
      target,
      'at-spi:EditableText.SetTextContents',
      'Setting the text',
      call,
    );
    return writing.pends === true && !isMultiline ? { ...outcome, isUncommitted: true } : outcome;
  }
  // A spreadsheet cell also takes words, but not this way.
  if (hasValue && !Number.isFinite(number) && role !== 'cell') {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `This element takes a number, but ${JSON.stringify(value.slice(0, 60))} is not one.`,
      { suggestion: 'Pass a number such as 42 or 0.5.', delivered: false },
    );
  }
  throw unsupported(
    isEditable
      ? `In ${application.traits.title}, text that is set in this ${role} through accessibility is not known to reach the application.`
      : 'The value of this element cannot be set through accessibility.',
    isEditable
      ? `Type it with the keyboard: ${mentionParameter('mode', 'focus')}.`
      : `Choose a text field, slider or spin button; ${mentionCommand('get', { property: 'attributes', ref: 'REF' })} shows what an element supports.`,
  );
}

/**
 * Removes the text and inserts another, as by hand. GTK 4 takes a text that is set as a whole for a new document: it forgets that something
 * changed, so that an editor closes without asking, and what could be undone.
 */
function rewrite(target: ActTarget, text: string): Promise<ActOutcome> {
  const { node, options } = target;
  const via = 'at-spi:EditableText.DeleteText, InsertText';
  return deliver(target, via, 'Setting the text', async ({ channel: { connection, templates }, send }) => {
    const change = (member: string, signature: string, args: readonly (string | number)[]) =>
      send({ interface: INTERFACE.EDITABLE_TEXT, member, signature, args });
    const count = await connection.invoke(templates.characterCount, node.path, options);
    if (count > 0 && !(await change('DeleteText', 'ii', [0, count]))) return false;
    return text === '' || change('InsertText', 'isi', [0, text, Buffer.byteLength(text)]);
  });
}

function numberRefusal({ traits }: Application): DeskterityError {
  return unsupported(
    `${traits.title} ignores numbers set through accessibility.`,
    `Press arrow keys on it: ${mentionCommand('press', { keys: 'ArrowRight', ref: 'REF' })}, or ${mentionCommand('press', { keys: 'ArrowUp', ref: 'REF' })}.`,
  );
}
