import type { AtomName } from '../../../src/platform/linux/display/x11/atoms.ts';
import { SelectionClient } from '../../../src/platform/linux/display/x11/clipboard/selection-client.ts';
import { words } from '../../../src/platform/linux/display/x11/properties.ts';
import type { XEvent } from '../../../src/platform/linux/display/x11/x11-library.ts';

/** What a misbehaving program writes into the requested property. */
export interface PeerAnswer {
  readonly type: AtomName;
  readonly format: 8 | 32;
  readonly data: Uint8Array;
}

/** Another program on the display that owns the clipboard as a test requires. */
export class SelectionPeer {
  readonly client: SelectionClient;
  private constructor(client: SelectionClient) {
    this.client = client;
  }

  static async open(display: string): Promise<SelectionPeer> {
    return new SelectionPeer(await SelectionClient.open(display, { deadlineMs: 5000 }));
  }

  /** Owns the clipboard. `answer` returns what to write into the property, `undefined` to refuse, or a promise that never settles to hang. */
  async own(
    answer: (target: string, event: XEvent) => PeerAnswer | undefined | Promise<PeerAnswer | undefined>,
    selection: AtomName = 'CLIPBOARD',
  ): Promise<void> {
    const { client } = this;
    client.wire.onEvent((event) => {
      if (event.name !== 'SelectionRequest' || event.selection !== client.wire.atom(selection)) return;
      void this.reply(event, answer).catch(() => undefined);
    });
    const time = await client.now();
    await client.wire.call('SetSelectionOwner', client.window, client.wire.atom(selection), time);
  }

  /** A list of targets, as an owner sends it. */
  targets(...names: AtomName[]): PeerAnswer {
    return { type: 'ATOM', format: 32, data: words(names.map((name) => this.client.wire.atom(name))) };
  }

  /** Requests the clipboard's data; `undefined` if the owner refuses. */
  async ask(target: AtomName, time?: number, value?: Buffer): Promise<Buffer | undefined> {
    const { client } = this;
    const property = client.wire.atom('_DESKTERITY_SELECTION');
    if (value !== undefined)
      await client.setProperty(client.window, property, {
        type: client.wire.atom('ATOM_PAIR'),
        format: 32,
        data: value,
      });
    const at = time ?? (await client.now());
    const answered = new Promise<XEvent>((resolve) => {
      const stop = client.wire.onEvent((event) => {
        if (event.name !== 'SelectionNotify') return;
        stop();
        resolve(event);
      });
    });
    await client.wire.call(
      'ConvertSelection',
      client.window,
      client.wire.atom('CLIPBOARD'),
      client.wire.atom(target),
      property,
      at,
    );
    if ((await answered).property === 0) return undefined;
    return this.property(property);
  }

  async property(property: number): Promise<Buffer> {
    const { data } = await this.client.wire.call(
      'GetProperty',
      0,
      this.client.window,
      property,
      0,
      0,
      1 << 16,
    );
    return data;
  }

  close(): void {
    this.client.close();
  }

  private async reply(
    event: XEvent,
    answer: (target: string, event: XEvent) => PeerAnswer | undefined | Promise<PeerAnswer | undefined>,
  ): Promise<void> {
    const { client } = this;
    const { requestor = 0, selection = 0, target = 0, property = 0, time = 0 } = event;
    const given = await answer((await client.wire.atomName(target)) ?? '', event);
    if (given !== undefined)
      await client.setProperty(requestor, property, { ...given, type: client.wire.atom(given.type) });
    const place = given === undefined ? 0 : property;
    const fields = words([31, time, requestor, selection, target, place, 0, 0]);
    await client.wire.call('SendEvent', requestor, 0, 0, fields);
  }
}
