import { mentionCommand } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type {
  ClipboardChange,
  ClipboardContent,
  ClipboardFormats,
  ClipboardKind,
  ClipboardPort,
  ClipboardWrite,
} from '../../../../../ports/clipboard.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import { numbersOf } from '../properties.ts';
import { decodeSelection, formsOf, TEXT_TARGETS } from './selection-forms.ts';
import type { SelectionClient } from './selection-client.ts';
import { SelectionOwner } from './selection-owner.ts';
import { SelectionReader } from './selection-reader.ts';
import { watchSelection } from './selection-watch.ts';
import { withDeadline } from '../x11-errors.ts';

/** An owner may list any number of targets. */
const MAX_TARGETS = 100;
/** Targets that are metadata or commands. */
const NO_DATA = /^(?:TARGETS|MULTIPLE|TIMESTAMP|SAVE_TARGETS|DELETE|INSERT_PROPERTY|INSERT_SELECTION)$/;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** For a clipboard manager to save the content. */
const HAND_OVER_MS = 2000;
/** For it to take ownership after that, and how often this is checked. */
const TAKEN_OVER_MS = 2000;
const POLL_MS = 25;

/** The CLIPBOARD selection of an X display. Each call, each owned content and each watch has its own connection. */
export class X11Clipboard implements ClipboardPort {
  readonly #connect: (options: CallOptions) => Promise<SelectionClient>;
  readonly #owners = new Set<SelectionOwner>();
  /** Ends each watch, optionally notifying its listener. */
  readonly #watches = new Set<(change?: 'lost') => void>();

  constructor(connect: (options: CallOptions) => Promise<SelectionClient>) {
    this.#connect = connect;
  }

  get isOwned(): boolean {
    return [...this.#owners].some((owner) => owner.isOwner);
  }

  formats(call: CallOptions): Promise<ClipboardFormats> {
    return this.#read(call, async (client, reader, options) => {
      const targets = reader === undefined ? [] : ((await targetsOf(client, reader, options)) ?? []);
      const names = await Promise.all(targets.map((target) => client.wire.atomName(target)));
      return {
        names: names.filter((name) => name !== undefined && !NO_DATA.test(name)).map(String),
        text: TEXT_TARGETS.some((name) => targets.includes(client.atom(name))),
        image: targets.includes(client.atom('image/png')),
      };
    });
  }

  read(kind: ClipboardKind, call: CallOptions): Promise<ClipboardContent> {
    return this.#read(call, (client, reader, options) => {
      if (reader === undefined) throw empty('The clipboard is empty.');
      return kind === 'image' ? readImage(client, reader, options) : readText(client, reader, options);
    });
  }

  async write(request: ClipboardWrite): Promise<readonly string[]> {
    const { content, outlivesCall } = request;
    const options = liveDeadline(request, performance);
    const client = await this.#connect(options);
    try {
      return await withDeadline(
        this.#own(client, content, outlivesCall, options),
        client.wire.display,
        'taking the clipboard',
        options,
      );
    } catch (error) {
      for (const owner of this.#owners) if (owner.uses(client)) owner.close();
      client.close();
      throw error;
    }
  }

  clear(call: CallOptions): Promise<void> {
    return this.#use(call, async (client) => {
      const time = await client.now();
      await client.wire.request<undefined>((x, done) => {
        x.SetSelectionOwner(0, client.atom('CLIPBOARD'), time, done);
      });
    });
  }

  async watch(listener: (change: ClipboardChange) => void, call: CallOptions): Promise<() => void> {
    const options = liveDeadline(call, performance);
    const client = await this.#connect(options);
    let isOver = false;
    const end = (change?: 'lost'): void => {
      if (isOver) return;
      isOver = true;
      this.#watches.delete(end);
      client.close();
      if (change !== undefined) listener(change);
    };
    try {
      const started = watchSelection(client, () => {
        if (!isOver) listener('changed');
      });
      await withDeadline(started, client.wire.display, 'watching the clipboard', options);
    } catch (error) {
      end();
      throw error;
    }
    this.#watches.add(end);
    client.wire.onLoss(() => end('lost'));
    return () => end();
  }

  /** Hands owned content over to a clipboard manager if there is one. */
  async close(): Promise<void> {
    for (const end of this.#watches) end('lost');
    await Promise.all(
      [...this.#owners].map(async (owner) => {
        await owner.handOver({ deadlineMs: HAND_OVER_MS }).catch(() => false);
        owner.close();
      }),
    );
  }

  async #own(
    client: SelectionClient,
    content: ClipboardContent,
    outlivesCall: boolean,
    options: CallOptions,
  ): Promise<readonly string[]> {
    if (!outlivesCall && (await client.ownerOf('CLIPBOARD_MANAGER')) === 0) throw notPersistent();
    const forms = formsOf(content);
    const owner = await SelectionOwner.claim(client, forms, (ended) => this.#owners.delete(ended));
    if (owner.isOwner) this.#owners.add(owner);
    if (!outlivesCall) await this.#leaveBehind(owner, options);
    return [...forms.keys()];
  }

  async #leaveBehind(owner: SelectionOwner, options: CallOptions): Promise<void> {
    const isTaken = await owner.handOver(options);
    owner.close();
    if (isTaken && (await this.#isTakenOver(options))) return;
    throw new DeskterityError('ACTION_FAILED', 'The clipboard manager did not keep the content.', {
      suggestion: 'Omit --no-daemon, so that the daemon keeps it.',
      delivered: true,
    });
  }

  /** A manager takes ownership of saved content when it notices that its owner is gone. */
  async #isTakenOver({ signal }: CallOptions): Promise<boolean> {
    return this.#use({ deadlineMs: TAKEN_OVER_MS * 2, signal }, async (client) => {
      const end = performance.now() + TAKEN_OVER_MS;
      while (performance.now() < end) {
        if ((await client.ownerOf('CLIPBOARD')) !== 0) return true;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return false;
    });
  }

  async #read<T>(
    call: CallOptions,
    work: (
      client: SelectionClient,
      reader: SelectionReader | undefined,
      options: CallOptions,
    ) => T | Promise<T>,
  ): Promise<T> {
    return this.#use(call, async (client, options) => {
      const reader = await SelectionReader.open(client);
      try {
        return await work(client, reader, options);
      } finally {
        reader?.end();
      }
    });
  }

  /** Work on a connection that ends with the call. */
  async #use<T>(
    call: CallOptions,
    work: (client: SelectionClient, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, performance);
    const client = await this.#connect(options);
    try {
      // Slightly longer than the deadlines below, whose errors are more specific.
      const limit = { deadlineMs: options.deadlineMs + EXPLAIN_MS, signal: call.signal };
      return await withDeadline(work(client, options), client.wire.display, 'using the clipboard', limit);
    } finally {
      client.close();
    }
  }
}

const EXPLAIN_MS = 250;

async function targetsOf(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<number[] | undefined> {
  const reply = await reader.convert(client.atom('TARGETS'), options);
  if (reply === undefined || reply.format !== 32) return undefined;
  return numbersOf({ ...reply, bytesAfter: 0 }).slice(0, MAX_TARGETS);
}

async function readText(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<ClipboardContent> {
  // An old owner may not support TARGETS but still have text.
  const targets = await targetsOf(client, reader, options);
  const offered = TEXT_TARGETS.filter((name) => targets === undefined || targets.includes(client.atom(name)));
  let isInvalid = false;
  for (const name of offered) {
    const reply = await reader.convert(client.atom(name), options);
    if (reply === undefined) continue;
    const type = (await client.wire.atomName(reply.type)) ?? '';
    const text = reply.format === 8 ? decodeSelection(type, reply.data) : undefined;
    if (text !== undefined && text !== '') return { kind: 'text', text };
    isInvalid ||= text === undefined;
  }
  if (isInvalid) throw invalidData('text');
  throw empty('The clipboard contains no text.');
}

async function readImage(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<ClipboardContent> {
  const reply = await reader.convert(client.atom('image/png'), options);
  if (reply === undefined) throw empty('The clipboard contains no PNG image.');
  const isPng = reply.format === 8 && reply.data.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
  if (!isPng) throw invalidData('a PNG image');
  return { kind: 'image', png: reply.data };
}

function empty(message: string): DeskterityError {
  return new DeskterityError('CLIPBOARD_EMPTY', message, {
    suggestion: `Copy something first; ${mentionCommand('clipboard has-image')} shows what is there.`,
  });
}

function invalidData(what: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The owner of the clipboard offers ${what} but sends something else.`,
    { suggestion: 'Copy again in that application.' },
  );
}

function notPersistent(): DeskterityError {
  return new DeskterityError(
    'DAEMON_UNAVAILABLE',
    'The clipboard content would be lost after this call: there is neither a daemon nor a clipboard manager to keep it.',
    { suggestion: 'Omit --no-daemon.', delivered: false },
  );
}
