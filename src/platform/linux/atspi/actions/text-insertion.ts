import type { ActOutcome } from '../../../../ports/desktop.ts';
import { Variant, type BusValue } from '../../dbus/index.ts';
import { unsupported } from '../../failures.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';
import { callElement, deliver, readInterfaces, refuseOutsideBasicPlane } from './actions.ts';
import type { ActTarget, Delivery } from './actions.ts';

const DOING = 'Inserting the text';

/** Units of text: ATK takes the inserted length in bytes and positions in characters, Qt both in UTF-16 units. */
interface TextMeasures {
  readonly length: (text: string) => number;
  readonly offset: (text: string) => number;
}
const ATK: TextMeasures = {
  length: (text) => Buffer.byteLength(text),
  offset: (text) => Array.from(text).length,
};
const QT: TextMeasures = { length: (text) => text.length, offset: (text) => text.length };

/** Firefox is omitted: it returns true but inserts nothing. Chromium lacks the interface. */
const MEASURES: Readonly<Partial<Record<ToolkitKind, TextMeasures>>> = {
  gtk3: ATK,
  gtk4: ATK,
  libreoffice: ATK,
  java: ATK,
  other: ATK,
  qt: QT,
};

/** Inserts text at the caret, replacing the selection, and moves the caret behind it. As with a press, `true` proves nothing. */
export async function insertText(target: ActTarget, text: string): Promise<ActOutcome> {
  const { application } = target;
  const measures = MEASURES[application.traits.kind];
  const interfaces = await readInterfaces(target, DOING);
  // In a spin button it would change the text but not the number.
  if (
    !measures ||
    (interfaces & (IMPLEMENTS.EDITABLE_TEXT | IMPLEMENTS.VALUE)) !== IMPLEMENTS.EDITABLE_TEXT
  ) {
    throw unsupported(
      `${application.traits.title} does not insert text at the caret of this element through accessibility.`,
      'Type it with the keyboard.',
    );
  }
  refuseOutsideBasicPlane(application, text);
  return deliver(target, 'at-spi:EditableText.InsertText', DOING, async (delivery) => {
    const field = new Field(delivery, target);
    const selected = await field.selection();
    if (selected && !(await field.change('DeleteText', 'ii', selected))) return false;
    const position = selected?.[0] ?? (await field.caret());
    if (!(await field.change('InsertText', 'isi', [position, text, measures.length(text)]))) return false;
    // The text has been inserted even if the caret does not move.
    await field.moveCaret(position + measures.offset(text)).catch(() => undefined);
    return true;
  });
}

/** The text calls on one element. */
class Field {
  readonly #delivery: Delivery;
  readonly #target: ActTarget;

  constructor(delivery: Delivery, target: ActTarget) {
    this.#delivery = delivery;
    this.#target = target;
  }

  change(member: string, signature: string, args: readonly (string | number)[]): Promise<boolean> {
    return this.#delivery.send({ interface: INTERFACE.EDITABLE_TEXT, member, signature, args });
  }

  async caret(): Promise<number> {
    const { node, options } = this.#target;
    const { connection, destination } = this.#delivery.channel;
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

  #call(member: string, signature?: string, args?: readonly number[]): Promise<BusValue[]> {
    return callElement(this.#delivery.channel, this.#target, {
      interface: INTERFACE.TEXT,
      member,
      signature,
      args,
    });
  }
}
