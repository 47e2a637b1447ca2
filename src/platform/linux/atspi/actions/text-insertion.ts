import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { Variant } from '../../dbus/index.ts';
import { at, deliver, refuseOutsideBasicPlane } from './actions.ts';
import { applicationFailure } from '../bus/application.ts';
import type { Application, Channel } from '../bus/application.ts';
import { IMPLEMENTS, interfaceSet } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

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
export async function insertText(
  application: Application,
  node: NodeHandle,
  text: string,
  options: CallOptions,
): Promise<ActOutcome> {
  const measures = MEASURES[application.traits.kind];
  const interfaces = await readInterfaces(application, node, options);
  // In a spin button it would change the text but not the number.
  if (!measures || (interfaces & (IMPLEMENTS.EDITABLE_TEXT | IMPLEMENTS.VALUE)) !== IMPLEMENTS.EDITABLE_TEXT)
    throw refusal(application);
  refuseOutsideBasicPlane(application, text);
  return deliver(application, options, 'at-spi:EditableText.InsertText', DOING, async (channel) => {
    const field = new Field(channel, node, options);
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
  private readonly channel: Channel;
  private readonly node: NodeHandle;
  private readonly options: CallOptions;

  constructor(channel: Channel, node: NodeHandle, options: CallOptions) {
    this.channel = channel;
    this.node = node;
    this.options = options;
  }

  async change(member: string, signature: string, args: (string | number)[]): Promise<boolean> {
    const [accepted] = await this.call(INTERFACE.EDITABLE_TEXT, member, signature, args);
    return accepted === true;
  }

  async caret(): Promise<number> {
    const { connection, destination } = this.channel;
    const read = connection.getProperty(
      destination,
      this.node.path,
      INTERFACE.TEXT,
      'CaretOffset',
      this.options,
    );
    const value = await read;
    const offset = value instanceof Variant ? value.value : value;
    return typeof offset === 'number' && offset >= 0 ? offset : 0;
  }

  async selection(): Promise<[start: number, end: number] | undefined> {
    const [count] = await this.call(INTERFACE.TEXT, 'GetNSelections', '', []);
    if (typeof count !== 'number' || count < 1) return undefined;
    const [start, end] = await this.call(INTERFACE.TEXT, 'GetSelection', 'i', [0]);
    if (typeof start !== 'number' || typeof end !== 'number' || start === end) return undefined;
    return [Math.min(start, end), Math.max(start, end)];
  }

  async moveCaret(offset: number): Promise<void> {
    await this.call(INTERFACE.TEXT, 'SetCaretOffset', 'i', [offset]);
  }

  private call(name: string, member: string, signature: string, args: (string | number)[]) {
    const call = { ...at(this.channel, this.node), interface: name, member };
    return this.channel.connection.call(signature === '' ? call : { ...call, signature, args }, this.options);
  }
}

async function readInterfaces(
  application: Application,
  node: NodeHandle,
  options: CallOptions,
): Promise<number> {
  try {
    const { connection, templates } = await application.readingChannel(options);
    return interfaceSet(await connection.invoke(templates.interfaces, node.path, options));
  } catch (error) {
    throw applicationFailure(error, DOING);
  }
}

function refusal({ traits }: Application): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${traits.title} does not insert text at the caret of this element through accessibility.`,
    { suggestion: 'Type it with the keyboard.', delivered: false },
  );
}
