import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { AtomName } from '../atoms.ts';
import { numbersOf, readPropertyOf, words } from '../properties.ts';
import { EventQueue, type SelectionClient } from './selection-client.ts';
import { PIECE_BYTES, Transfer } from './selection-transfer.ts';
import type { XEvent } from '../x11-library.ts';

/** Concurrent requests; more are refused. */
const MAX_TRANSFERS = 64;
const MAX_REPLIES = 256;
const MAX_PAIRS = 64;
const SELECTION_NOTIFY = 31;
/** For the display itself, in addition to the manager's time. */
const DISPLAY_MS = 250;

/** The offered data by target name, which is also its type. */
export type SelectionForms = ReadonlyMap<AtomName, Buffer>;

/** Owns the clipboard until another client takes it, and serves its content on request. */
export class SelectionOwner {
  readonly #client: SelectionClient;
  readonly #forms: SelectionForms;
  readonly #onEnd: (owner: SelectionOwner) => void;
  readonly #transfers = new Set<Transfer>();
  #since = 0;
  #replies = 0;
  #isOwner = false;
  /** Another client owns it: only running transfers are still served. */
  #isLost = false;
  #isOver = false;

  private constructor(
    client: SelectionClient,
    forms: SelectionForms,
    onEnd: (owner: SelectionOwner) => void,
  ) {
    this.#client = client;
    this.#forms = forms;
    this.#onEnd = onEnd;
    client.wire.onEvent((event) => this.#onEvent(event));
    client.wire.onLoss(() => this.close());
  }

  /**
   * Takes the clipboard; closes the client when it is no longer needed.
   * @param onEnd called once, when another client takes it or the display is gone
   * @throws DeskterityError ACTION_FAILED when another client took it at the same moment
   */
  static async claim(
    client: SelectionClient,
    forms: SelectionForms,
    onEnd: (owner: SelectionOwner) => void,
  ): Promise<SelectionOwner> {
    const owner = new SelectionOwner(client, forms, onEnd);
    owner.#since = await client.now();
    await client.wire.call('SetSelectionOwner', client.window, client.clipboard, owner.#since);
    owner.#isOwner = (await client.ownerOf(client.clipboard)) === client.window;
    if (owner.#isOwner) return owner;
    owner.close();
    throw new DeskterityError('ACTION_FAILED', 'Another program took the clipboard at the same moment.', {
      suggestion: 'Repeat the command.',
      retryable: true,
      delivered: true,
    });
  }

  /** False once another client owns it, even while a last reader is being served. */
  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Whether it uses this client. */
  uses(client: SelectionClient): boolean {
    return client === this.#client;
  }

  /** Hands the data to a clipboard manager; returns whether one took it. @throws DeskterityError if the display does not reply */
  handOver(options: CallOptions): Promise<boolean> {
    return this.#client.wire.within(this.#handOver(options), 'handing over the clipboard', {
      deadlineMs: options.deadlineMs + DISPLAY_MS,
      signal: options.signal,
    });
  }

  async #handOver(options: CallOptions): Promise<boolean> {
    const client = this.#client;
    const { manager } = client;
    if (!this.#isOwner || (await client.ownerOf(manager)) === 0) return false;
    const notifications = new EventQueue(
      client.wire,
      ({ name, selection }) => name === 'SelectionNotify' && selection === manager,
    );
    // A manager may take ownership before it reports that it is done.
    this.#replies += 1;
    try {
      const property = client.wire.atom('_DESKTERITY_SELECTION');
      const data = words([...this.#forms.keys()].map((name) => client.wire.atom(name)));
      await client.setProperty(client.window, property, { type: client.wire.atom('ATOM'), format: 32, data });
      await client.convert(manager, client.wire.atom('SAVE_TARGETS'));
      const notification = await notifications.next(options);
      return notification?.property !== undefined && notification.property !== 0;
    } finally {
      notifications.end();
      this.#replies -= 1;
      this.#closeWhenServed();
    }
  }

  /** Ends immediately; the clipboard is then empty unless another client owns it. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isOwner = false;
    for (const transfer of this.#transfers) transfer.end();
    this.#client.close();
    if (!this.#isLost) this.#onEnd(this);
  }

  #onEvent(event: XEvent): void {
    if (event.name === 'SelectionClear' && event.selection === this.#client.clipboard) {
      this.#isOwner = false;
      this.#isLost = true;
      this.#onEnd(this);
      this.#closeWhenServed();
    } else if (event.name === 'SelectionRequest' && event.owner === this.#client.window) {
      if (this.#replies >= MAX_REPLIES) return;
      this.#replies += 1;
      // The connection itself reports its loss.
      void this.#reply(event)
        .catch(() => undefined)
        .finally(() => {
          this.#replies -= 1;
          this.#closeWhenServed();
        });
    }
  }

  #closeWhenServed(): void {
    if (this.#isLost && this.#transfers.size === 0 && this.#replies === 0) this.close();
  }

  async #reply({ requestor = 0, selection = 0, target = 0, property: requested = 0, time = 0 }: XEvent) {
    // Old clients name no property.
    const property = requested === 0 ? target : requested;
    const isOurs = selection === this.#client.clipboard && !this.#isBefore(time);
    const isSent = isOurs && (await this.#provide(requestor, target, property));
    const sent = isSent ? property : 0;
    const fields = words([SELECTION_NOTIFY, time, requestor, selection, target, sent, 0, 0]);
    await this.#client.wire.tryCall('SendEvent', requestor, 0, 0, fields);
  }

  /** Whether a request concerns earlier clipboard content; server time wraps. */
  #isBefore(time: number): boolean {
    return time !== 0 && (time - this.#since) >> 0 < 0;
  }

  async #provide(requestor: number, target: number, property: number, isInner = false): Promise<boolean> {
    const client = this.#client;
    if (target === client.wire.atom('MULTIPLE')) return !isInner && this.#provideSeveral(requestor, property);
    const metadata = this.#metadata(target);
    if (metadata !== undefined) return client.setProperty(requestor, property, metadata);
    const form = [...this.#forms].find(([name]) => client.wire.atom(name) === target);
    if (form === undefined) return false;
    const [, data] = form;
    if (data.length <= PIECE_BYTES)
      return client.setProperty(requestor, property, { type: target, format: 8, data });
    if (this.#transfers.size >= MAX_TRANSFERS) return false;
    const transfer = new Transfer(client, { requestor, property, type: target, data }, (ended) => {
      this.#transfers.delete(ended);
      this.#closeWhenServed();
    });
    this.#transfers.add(transfer);
    return transfer.begin();
  }

  /** Replies to targets that are about the data. */
  #metadata(target: number): { type: number; format: 32; data: Buffer } | undefined {
    const client = this.#client;
    if (target === client.wire.atom('TARGETS')) {
      const names: AtomName[] = ['TARGETS', 'MULTIPLE', 'TIMESTAMP', 'SAVE_TARGETS', ...this.#forms.keys()];
      return {
        type: client.wire.atom('ATOM'),
        format: 32,
        data: words(names.map((name) => client.wire.atom(name))),
      };
    }
    if (target === client.wire.atom('TIMESTAMP'))
      return { type: client.wire.atom('INTEGER'), format: 32, data: words([this.#since]) };
    // Requesting it has no effect; offering it tells a manager that the data may be saved.
    if (target === client.wire.atom('SAVE_TARGETS'))
      return { type: client.wire.atom('NULL'), format: 32, data: Buffer.alloc(0) };
    return undefined;
  }

  /** Several targets, each into its own property; those that fail are cleared in the list. */
  async #provideSeveral(requestor: number, property: number): Promise<boolean> {
    const client = this.#client;
    const pairs = numbersOf(await readPropertyOf(client.wire, requestor, property));
    if (pairs.length === 0 || pairs.length % 2 !== 0 || pairs.length > MAX_PAIRS * 2) return false;
    for (let at = 0; at < pairs.length; at += 2) {
      const [target = 0, into = 0] = pairs.slice(at, at + 2);
      const isSent = into !== 0 && (await this.#provide(requestor, target, into, true));
      if (!isSent) pairs[at + 1] = 0;
    }
    return client.setProperty(requestor, property, {
      type: client.wire.atom('ATOM_PAIR'),
      format: 32,
      data: words(pairs),
    });
  }
}
