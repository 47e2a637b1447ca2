import type { ActOutcome, Caret } from '../../../../ports/desktop/acts.ts';
import { Variant, type BusValue } from '../../dbus/index.ts';
import { unsupported } from '../../failures.ts';
import { readWith, type Channel } from '../bus/application.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import { callElement, deliver, readWritable, refuseOutsideBasicPlane } from './actions.ts';
import type { ActTarget } from './actions.ts';
import { standIns } from './stand-ins.ts';
import { MEASURES } from './text-measures.ts';

const DOING = 'Inserting the text';

/** Inserts text at the caret, replacing the selection, and moves the caret behind it. As with a press, `true` proves nothing. */
export async function insertText(target: ActTarget, text: string): Promise<ActOutcome> {
  const { application } = target;
  const measures = MEASURES[application.traits.kind];
  const { interfaces, role, isMultiline, isFocused } = await readWritable(target, DOING);
  const [row] = standIns('type', application.traits.kind, role);
  // In a spin button it would change the text but not the number.
  if (
    !measures ||
    row === undefined ||
    (interfaces & (IMPLEMENTS.EDITABLE_TEXT | IMPLEMENTS.VALUE)) !== IMPLEMENTS.EDITABLE_TEXT
  ) {
    throw unsupported(
      `${application.traits.title} does not insert text at the caret of this element through accessibility.`,
      'Type it with the keyboard.',
    );
  }
  const isWithoutFocus = row.needsFocus === true && !isFocused;
  // In the background no focus is given to anything; the answer then says what may be missing.
  if (isWithoutFocus && target.options.manner !== 'background') {
    throw unsupported(
      `In ${application.traits.title}, a field takes text as by hand only while it has the keyboard focus.`,
      'Type it with the keyboard.',
    );
  }
  refuseOutsideBasicPlane(application, text);
  const outcome = await deliver(
    target,
    'at-spi:EditableText.InsertText',
    DOING,
    async ({ channel, send }) => {
      const field = new Field(channel, target);
      const change = (member: string, signature: string, args: readonly (string | number)[]) =>
        send({ interface: INTERFACE.EDITABLE_TEXT, member, signature, args });
      const selected = await field.selection();
      if (selected && !(await change('DeleteText', 'ii', selected))) return false;
      const position = selected?.[0] ?? (await field.caret());
      if (!(await change('InsertText', 'isi', [position, text, measures.length(text)]))) return false;
      // The text has been inserted even if the caret does not move.
      await field.moveCaret(position + measures.offset(text)).catch(() => undefined);
      return true;
    },
  );
  return isWithoutFocus || (row.pends === true && !isMultiline)
    ? { ...outcome, isUncommitted: true }
    : outcome;
}

/** The caret, where toolkits report and keep it reliably: the same ones that insert text there. */
export function readCaret(target: ActTarget): Promise<Caret | undefined> {
  const { kind } = target.application.traits;
  return readWith(target, 'Reading the caret', async (channel) => {
    const { connection, templates } = channel;
    const { node, options } = target;
    const interfaces = await connection.invoke(templates.interfaces, node.path, options);
    if (MEASURES[kind] === undefined || (interfaces & IMPLEMENTS.EDITABLE_TEXT) === 0) return undefined;
    const field = new Field(channel, target);
    const [offset, selection] = await Promise.all([field.caret(), field.selection()]);
    return { offset, selection };
  });
}

/** Moving the caret clears the selection. */
export async function placeCaret(target: ActTarget, { offset, selection }: Caret): Promise<void> {
  await deliver(target, 'at-spi:Text.SetCaretOffset', 'Placing the caret', async ({ channel }) => {
    const field = new Field(channel, target);
    await field.moveCaret(offset);
    if (selection) await field.select(selection);
    return true;
  });
}

/** The text calls on one element. */
class Field {
  readonly #channel: Channel;
  readonly #target: ActTarget;

  constructor(channel: Channel, target: ActTarget) {
    this.#channel = channel;
    this.#target = target;
  }

  async caret(): Promise<number> {
    const { node, options } = this.#target;
    const { connection, destination } = this.#channel;
    const property = [INTERFACE.TEXT, 'CaretOffset'] as const;
    const value = await connection.getProperty(destination, node.path, ...property, options);
    const offset = value instanceof Variant ? value.value : value;
    return typeof offset === 'number' && offset >= 0 ? offset : 0;
  }

  async selection(): Promise<[start: number, end: number] | undefined> {
    const [count] = await this.#call('GetNSelections');
    if (typeof count !== 'number' || count < 1) return undefined;
    const [start, end] = await this.#call('GetSelection', 'i', [0]);
    if (typeof start !== 'number' || typeof end !== 'number' || start === end) return undefined;
    return [Math.min(start, end), Math.max(start, end)];
  }

  async moveCaret(offset: number): Promise<void> {
    await this.#call('SetCaretOffset', 'i', [offset]);
  }

  async select([start, end]: readonly [start: number, end: number]): Promise<void> {
    await this.#call('AddSelection', 'ii', [start, end]);
  }

  #call(member: string, signature?: string, args?: readonly number[]): Promise<BusValue[]> {
    return callElement(this.#channel, this.#target, {
      interface: INTERFACE.TEXT,
      member,
      signature,
      args,
    });
  }
}
