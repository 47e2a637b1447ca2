import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import { numbersOf, readPropertyOf } from '../properties.ts';
import { EventQueue, words } from './selection-client.ts';
import type { SelectionAtom, SelectionClient } from './selection-client.ts';
import { PIECE_BYTES, Transfer } from './selection-transfer.ts';
import { withDeadline } from '../x11-errors.ts';
import type { XEvent } from '../x11-library.ts';

/** At one time: more are refused. */
const MOST_TRANSFERS = 64;
const MOST_ANSWERS = 256;
const MOST_PAIRS = 64;
const SELECTION_NOTIFY = 31;
/** For the display itself, beyond what a manager gets. */
const ANSWER_MS = 250;

/** What is offered: the data by the name of the target, which is its type too. */
export type SelectionForms = ReadonlyMap<SelectionAtom, Buffer>;

/** Owns the clipboard until somebody else does, and gives it to whoever asks. */
export class SelectionOwner {
  readonly #client: SelectionClient;
  readonly #forms: SelectionForms;
  readonly #onEnd: (owner: SelectionOwner) => void;
  readonly #transfers = new Set<Transfer>();
  #since = 0;
  #answers = 0;
  #isOwner = false;
  /** Somebody else has it: it is only there for those who are still reading. */
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
    client.wire.onEvent((event) => this.#hear(event));
    client.wire.onLoss(() => this.close());
  }

  /**
   * Takes the clipboard; the client is closed when it is no longer needed.
   * @param onEnd called once, when somebody else owns it or the display is gone
   * @throws DeskterityError ACTION_FAILED when somebody else took it at the same moment
   */
  static async claim(
    client: SelectionClient,
    forms: SelectionForms,
    onEnd: (owner: SelectionOwner) => void,
  ): Promise<SelectionOwner> {
    const owner = new SelectionOwner(client, forms, onEnd);
    owner.#since = await client.now();
    await client.wire.request<undefined>((x, done) => {
      x.SetSelectionOwner(client.window, client.atom('CLIPBOARD'), owner.#since, done);
    });
    owner.#isOwner = (await client.ownerOf('CLIPBOARD')) === client.window;
    if (owner.#isOwner) return owner;
    owner.close();
    throw new DeskterityError('ACTION_FAILED', 'Another program took the clipboard at the same moment.', {
      suggestion: 'Repeat the command.',
      retryable: true,
      delivered: true,
    });
  }

  /** False once somebody else owns it, even while a last reader is being served. */
  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Whether it talks through this client. */
  uses(client: SelectionClient): boolean {
    return client === this.#client;
  }

  /** Gives the data to a clipboard manager. Whether one took it. @throws DeskterityError when the display does not answer */
  handOver(options: CallOptions): Promise<boolean> {
    return withDeadline(this.#handOver(options), this.#client.wire.display, 'handing over the clipboard', {
      deadlineMs: options.deadlineMs + ANSWER_MS,
      signal: options.signal,
    });
  }

  async #handOver(options: CallOptions): Promise<boolean> {
    const client = this.#client;
    const manager = client.atom('CLIPBOARD_MANAGER');
    if (!this.#isOwner || (await client.ownerOf('CLIPBOARD_MANAGER')) === 0) return false;
    const answers = new EventQueue(
      client.wire,
      ({ name, selection }) => name === 'SelectionNotify' && selection === manager,
    );
    // A manager may own the clipboard before it says that it has all.
    this.#answers += 1;
    try {
      const property = client.atom('_DESKTERITY_SELECTION');
      const data = words([...this.#forms.keys()].map((name) => client.atom(name)));
      await client.setProperty(client.window, property, { type: client.atom('ATOM'), format: 32, data });
      const time = await client.now();
      await client.wire.request<undefined>((x, done) => {
        x.ConvertSelection(client.window, manager, client.atom('SAVE_TARGETS'), property, time, done);
      });
      const answer = await answers.next(options);
      return answer?.property !== undefined && answer.property !== 0;
    } finally {
      answers.end();
      this.#answers -= 1;
      this.#closeWhenServed();
    }
  }

  /** Ends at once; the clipboard is empty then unless somebody else has it. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isOwner = false;
    for (const transfer of this.#transfers) transfer.end();
    this.#client.close();
    if (!this.#isLost) this.#onEnd(this);
  }

  #hear(event: XEvent): void {
    if (event.name === 'SelectionClear' && event.selection === this.#client.atom('CLIPBOARD')) {
      this.#isOwner = false;
      this.#isLost = true;
      this.#onEnd(this);
      this.#closeWhenServed();
    } else if (event.name === 'SelectionRequest' && event.owner === this.#client.window) {
      if (this.#answers >= MOST_ANSWERS) return;
      this.#answers += 1;
      // A lost connection is told by the connection.
      void this.#answer(event)
        .catch(() => undefined)
        .finally(() => {
          this.#answers -= 1;
          this.#closeWhenServed();
        });
    }
  }

  #closeWhenServed(): void {
    if (this.#isLost && this.#transfers.size === 0 && this.#answers === 0) this.close();
  }

  async #answer({ requestor = 0, selection = 0, target = 0, property: asked = 0, time = 0 }: XEvent) {
    // Old clients name no property.
    const property = asked === 0 ? target : asked;
    const isOurs = selection === this.#client.atom('CLIPBOARD') && !this.#isBefore(time);
    const isGiven = isOurs && (await this.#give(requestor, target, property));
    await this.#client.wire.attempt<undefined>((x, done) => {
      const given = isGiven ? property : 0;
      const fields = words([SELECTION_NOTIFY, time, requestor, selection, target, given, 0, 0]);
      x.SendEvent(requestor, 0, 0, fields, done);
    });
  }

  /** Whether a request is about what was on the clipboard before; the server's time wraps. */
  #isBefore(time: number): boolean {
    return time !== 0 && (time - this.#since) >> 0 < 0;
  }

  async #give(requestor: number, target: number, property: number, isInner = false): Promise<boolean> {
    const client = this.#client;
    if (target === client.atom('MULTIPLE')) return !isInner && this.#giveSeveral(requestor, property);
    const special = this.#special(target);
    if (special !== undefined) return client.setProperty(requestor, property, special);
    const form = [...this.#forms].find(([name]) => client.atom(name) === target);
    if (form === undefined) return false;
    const [, data] = form;
    if (data.length <= PIECE_BYTES)
      return client.setProperty(requestor, property, { type: target, format: 8, data });
    if (this.#transfers.size >= MOST_TRANSFERS) return false;
    const transfer = new Transfer(client, { requestor, property, type: target, data }, (ended) => {
      this.#transfers.delete(ended);
      this.#closeWhenServed();
    });
    this.#transfers.add(transfer);
    return transfer.begin();
  }

  /** What is told about the data. */
  #special(target: number): { type: number; format: 32; data: Buffer } | undefined {
    const client = this.#client;
    if (target === client.atom('TARGETS')) {
      const names: SelectionAtom[] = [
        'TARGETS',
        'MULTIPLE',
        'TIMESTAMP',
        'SAVE_TARGETS',
        ...this.#forms.keys(),
      ];
      return {
        type: client.atom('ATOM'),
        format: 32,
        data: words(names.map((name) => client.atom(name))),
      };
    }
    if (target === client.atom('TIMESTAMP'))
      return { type: client.atom('INTEGER'), format: 32, data: words([this.#since]) };
    // Asking for it changes nothing; that it can be asked for tells a manager that the data may be saved.
    if (target === client.atom('SAVE_TARGETS'))
      return { type: client.atom('NULL'), format: 32, data: Buffer.alloc(0) };
    return undefined;
  }

  /** Several targets, each into a property of its own; those that cannot be given are struck out of the list. */
  async #giveSeveral(requestor: number, property: number): Promise<boolean> {
    const client = this.#client;
    const pairs = numbersOf(await readPropertyOf(client.wire, requestor, property));
    if (pairs.length === 0 || pairs.length % 2 !== 0 || pairs.length > MOST_PAIRS * 2) return false;
    for (let at = 0; at < pairs.length; at += 2) {
      const [target = 0, place = 0] = pairs.slice(at, at + 2);
      const isGiven = place !== 0 && (await this.#give(requestor, target, place, true));
      if (!isGiven) pairs[at + 1] = 0;
    }
    return client.setProperty(requestor, property, {
      type: client.atom('ATOM_PAIR'),
      format: 32,
      data: words(pairs),
    });
  }
}
