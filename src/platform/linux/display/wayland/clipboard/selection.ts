import { closeSync } from 'node:fs';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { unsupported } from '../../../failures.ts';
import { waitAtMost } from '../../waiting.ts';
import { SEAT } from '../wire/interfaces.ts';
import type { WaylandObject } from '../wire/object-table.ts';
import { readPipe, writePipe } from '../wire/pipes.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { DATA_CONTROL, DATA_DEVICE, DATA_OFFER, DATA_SOURCE } from './interfaces.ts';
import type { OpenSelection } from './open-selection.ts';
import { CLIPBOARD_LIMIT, MOST_FORMS, ownerSilent, READ_LIMIT_MS } from './selection-errors.ts';

interface Offer {
  readonly object: WaylandObject<typeof DATA_OFFER>;
  readonly forms: string[];
}

/** The clipboard of a seat by the data-control protocol, on a connection of its own. */
export class Selection implements OpenSelection {
  readonly wire: WaylandWire;
  readonly #manager: WaylandObject<typeof DATA_CONTROL>;
  readonly #device: WaylandObject<typeof DATA_DEVICE>;
  readonly #offers = new Map<number, Offer>();
  #current: Offer | undefined;
  #onChange: (() => void) | undefined;

  private constructor(
    wire: WaylandWire,
    manager: WaylandObject<typeof DATA_CONTROL>,
    device: WaylandObject<typeof DATA_DEVICE>,
  ) {
    this.wire = wire;
    this.#manager = manager;
    this.#device = device;
    device.on('data_offer', (id) => {
      const offer: Offer = { object: wire.adopt(id, DATA_OFFER), forms: [] };
      this.#offers.set(id, offer);
      offer.object.on('offer', (form) => {
        if (offer.forms.length < MOST_FORMS) offer.forms.push(form);
      });
    });
    device.on('selection', (id) => {
      const before = this.#current;
      this.#current = this.#offers.get(id);
      if (before !== undefined) {
        this.#offers.delete(before.object.id);
        before.object.end('destroy');
      }
      this.#onChange?.();
    });
  }

  /** Resolves once what is in the clipboard is known. @throws DeskterityError ACTION_NOT_SUPPORTED */
  static async open(wire: WaylandWire, options: CallOptions): Promise<Selection> {
    const manager = wire.bind(DATA_CONTROL);
    const seat = wire.bind(SEAT);
    if (manager === undefined || seat === undefined)
      throw unsupported(
        'This compositor lets no program use the clipboard without a window: it lacks the data-control protocol.',
        'Copy and paste inside the application with its own commands.',
      );
    const device = wire.create(DATA_DEVICE);
    const selection = new Selection(wire, manager, device);
    manager.send('get_data_device', device.id, seat.id);
    await wire.roundtrip('looking at the clipboard', options);
    return selection;
  }

  get forms(): readonly string[] | undefined {
    return this.#current?.forms;
  }

  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  async read(form: string, options: CallOptions): Promise<Buffer> {
    const offer = this.#current;
    if (offer === undefined) return Buffer.alloc(0);
    const { read, write } = this.wire.descriptors.pipe();
    const ended = new AbortController();
    try {
      offer.object.send('receive', form, write);
    } catch (error) {
      closeSync(read);
      closeSync(write);
      throw error;
    }
    try {
      return await waitAtMost(readPipe(read, ended.signal, CLIPBOARD_LIMIT), options, {
        doing: 'reading the clipboard',
        late: ownerSilent,
      });
    } finally {
      ended.abort();
    }
  }

  async own(
    forms: ReadonlyMap<string, Buffer>,
    onLost: () => void,
    options: CallOptions,
  ): Promise<() => void> {
    const source = this.wire.create(DATA_SOURCE);
    this.#manager.send('create_data_source', source.id);
    for (const form of forms.keys()) source.send('offer', form);
    source.on('send', (form, file) => {
      void writePipe(file, forms.get(form) ?? Buffer.alloc(0), READ_LIMIT_MS);
    });
    source.on('cancelled', onLost);
    this.#device.send('set_selection', source.id);
    await this.wire.roundtrip('taking the clipboard', options);
    return () => source.end('destroy');
  }

  async clear(options: CallOptions): Promise<void> {
    this.#device.send('set_selection', 0);
    await this.wire.roundtrip('clearing the clipboard', options);
  }

  onLoss(listener: (reason: DeskterityError) => void): void {
    this.wire.onLoss(listener);
  }

  close(): void {
    this.wire.close();
  }
}
