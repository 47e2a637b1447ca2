import { DeskterityError } from '../../../../model/effects/errors.ts';
import { mentionCommand } from '../../../../model/text/mention.ts';
import type { ActOutcome, TextChange, TextEditing } from '../../../../ports/desktop/acts.ts';
import { unsupported } from '../../failures.ts';
import type { BusValue } from '../../dbus/index.ts';
import { readWith, type Channel } from '../bus/application.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import { callElement, deliver, readWritable, refuseOutsideBasicPlane, type ActTarget } from './actions.ts';
import { standIns } from './stand-ins.ts';
import { MEASURES, type TextMeasures } from './text-measures.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

const DOING = 'Changing a part of the text';

/** A text with more runs than this counts as formatted. */
const MOST_RUNS = 200;

/** Whether a part of a text can be changed, and whether the whole has one formatting. */
export async function readTextEditing(target: ActTarget): Promise<TextEditing> {
  const { interfaces, role } = await readWritable(target, DOING);
  const { kind } = target.application.traits;
  const measures = MEASURES[kind];
  const changesParts =
    standIns('type', kind, role).length > 0 &&
    (interfaces & (IMPLEMENTS.EDITABLE_TEXT | IMPLEMENTS.VALUE)) === IMPLEMENTS.EDITABLE_TEXT;
  if (!measures || !changesParts) return { changesParts: false, isFormatted: true };
  return readWith(target, 'Reading the formatting', async (channel) => {
    const reading = new TextReading(channel, target);
    const count = await reading.count();
    // GTK 3 leaves pictures out of the text, but counts them.
    if (measures.offset(await reading.part(0, count)) !== count) return { changesParts, isFormatted: true };
    const isPlain = await hasOnePlainRun(reading, kind, count).catch(() => false);
    return { changesParts, isFormatted: !isPlain };
  });
}

/** Qt begins a run with each paragraph, however it is formatted. */
async function hasOnePlainRun(reading: TextReading, kind: ToolkitKind, count: number): Promise<boolean> {
  let first: string | undefined;
  let offset = 0;
  for (let run = 0; offset < count; run += 1) {
    const { attributes, end } = await reading.run(offset);
    const formatting = JSON.stringify([...attributes].toSorted(([one], [other]) => (one < other ? -1 : 1)));
    first ??= formatting;
    if (run >= MOST_RUNS || formatting !== first || isDecorated(kind, attributes)) return false;
    offset = Math.max(end, offset + 1);
  }
  return true;
}

/** GTK reports only what a text has besides the defaults; other toolkits report the defaults, too. */
function isDecorated(kind: ToolkitKind, attributes: ReadonlyMap<string, string>): boolean {
  if (kind === 'gtk3' || kind === 'gtk4') return attributes.size > 0;
  return Object.entries(PLAIN).some(
    ([name, plain]) => !plain.includes(attributes.get(name) ?? plain[0] ?? ''),
  );
}

const PLAIN: Readonly<Record<string, readonly string[]>> = {
  weight: ['normal', '400'],
  style: ['normal'],
  underline: ['none'],
  strikethrough: ['false'],
};

/**
 * Removes a part of a text and inserts another one in its place; the rest is not written.
 * @throws DeskterityError CONFLICT if the text is not the one that the change was made for; nothing was sent then
 */
export async function changeText(target: ActTarget, change: TextChange): Promise<ActOutcome> {
  const { application } = target;
  const measures = MEASURES[application.traits.kind];
  const { changesParts } = await readTextEditing(target);
  if (!measures || !changesParts)
    throw unsupported(
      `${application.traits.title} does not change a part of this text through accessibility.`,
      'Edit it with the keyboard.',
    );
  const { removed, inserted } = change;
  refuseOutsideBasicPlane(application, inserted);
  const { start, end } = await readWith(target, 'Reading the text', (channel) =>
    placeOf(new TextReading(channel, target), measures, change),
  );
  const via = 'at-spi:EditableText.DeleteText, InsertText';
  return deliver(target, via, DOING, async ({ send }) => {
    const edit = (member: string, signature: string, args: readonly (string | number)[]) =>
      send({ interface: INTERFACE.EDITABLE_TEXT, member, signature, args });
    if (removed !== '' && !(await edit('DeleteText', 'ii', [start, end]))) return false;
    return inserted === '' || edit('InsertText', 'isi', [start, inserted, measures.length(inserted)]);
  });
}

/** Where the part to change is, in the toolkit's units. */
async function placeOf(
  reading: TextReading,
  measures: TextMeasures,
  { text, at, removed }: TextChange,
): Promise<{ readonly start: number; readonly end: number }> {
  const count = await reading.count();
  if ((await reading.part(0, count)) !== text) throw anotherText();
  const before = measures.offset(Array.from(text).slice(0, at).join(''));
  const length = measures.offset(removed);
  if (count === measures.offset(text)) return { start: before, end: before + length };
  const lengthUntil = async (offset: number): Promise<number> =>
    measures.offset(await reading.part(0, offset));
  const end = await firstOffset(count, async (offset) => (await lengthUntil(offset)) >= before + length);
  const start = end - length;
  if (removed === '' || (await lengthUntil(start)) !== before || (await reading.part(start, end)) !== removed)
    throw unsupported(
      'The text has pictures or other elements in it, and the place of the change among them is not known.',
      'Edit it with the keyboard.',
    );
  return { start, end };
}

/** The first offset up to `count` for which it is true; it stays so. */
async function firstOffset(count: number, isReached: (offset: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The questions about one text. */
class TextReading {
  readonly #channel: Channel;
  readonly #target: ActTarget;

  constructor(channel: Channel, target: ActTarget) {
    this.#channel = channel;
    this.#target = target;
  }

  count(): Promise<number> {
    const { connection, templates } = this.#channel;
    return connection.invoke(templates.characterCount, this.#target.node.path, this.#target.options);
  }

  async part(from: number, to: number): Promise<string> {
    const [text] = to <= from ? [''] : await this.#call('GetText', 'ii', [from, to]);
    return typeof text === 'string' ? text : '';
  }

  async run(
    offset: number,
  ): Promise<{ readonly attributes: ReadonlyMap<string, string>; readonly end: number }> {
    const [attributes, , end] = await this.#call('GetAttributeRun', 'ib', [offset, false]);
    if (typeof end !== 'number') throw new TypeError('a run of formatting has no end');
    const pairs = attributes instanceof Map ? [...attributes] : [];
    return { attributes: new Map(pairs.map(([name, value]) => [String(name), String(value)])), end };
  }

  #call(member: string, signature: string, args: readonly (number | boolean)[]): Promise<BusValue[]> {
    return callElement(this.#channel, this.#target, { interface: INTERFACE.TEXT, member, signature, args });
  }
}

function anotherText(): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    'The text of the element is not the one that the change was made for. Nothing was sent.',
    { suggestion: `Look with ${mentionCommand('snapshot')}.`, delivered: false },
  );
}
