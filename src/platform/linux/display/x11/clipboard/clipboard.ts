import { byPerson } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type {
  ClipboardChange,
  ClipboardContent,
  ClipboardFormats,
  ClipboardKind,
  ClipboardPort,
  ClipboardWrite,
} from '../../../../../ports/clipboard.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import { formsOf, readImage, readText, targetsOf, TEXT_TARGETS } from './selection-forms.ts';
import { emptyClipboard } from '../../clipboard-content.ts';
import type { SelectionClient } from './selection-client.ts';
import { SelectionOwner } from './selection-owner.ts';
import { SelectionReader } from './selection-reader.ts';
import { unsupported } from '../../../failures.ts';
import { connectedPid } from '../windows/owner-pid.ts';

/** Targets that are metadata or commands. */
const NO_DATA = /^(?:TARGETS|MULTIPLE|TIMESTAMP|SAVE_TARGETS|DELETE|INSERT_PROPERTY|INSERT_SELECTION)$/;
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

  ownerPid(call: CallOptions): Promise<number | undefined> {
    return this.#use(call, async (client) => {
      const owner = await client.ownerOf(client.clipboard);
      return owner === 0 ? undefined : connectedPid(client.wire, owner);
    });
  }

  formats(call: CallOptions): Promise<ClipboardFormats> {
    return this.#read(call, async (client, reader, options) => {
      const targets = reader === undefined ? [] : ((await targetsOf(client, reader, options)) ?? []);
      const names = await Promise.all(targets.map((target) => client.wire.atomName(target)));
      return {
        names: names.filter((name) => name !== undefined && !NO_DATA.test(name)).map(String),
        text: TEXT_TARGETS.some((name) => targets.includes(client.wire.atom(name))),
        image: targets.includes(client.wire.atom('image/png')),
      };
    });
  }

  read(kind: ClipboardKind, call: CallOptions): Promise<ClipboardContent> {
    return this.#read(call, (client, reader, options) => {
      if (reader === undefined) throw emptyClipboard('The clipboard is empty.');
      return kind === 'image' ? readImage(client, reader, options) : readText(client, reader, options);
    });
  }

  async write(request: ClipboardWrite): Promise<readonly string[]> {
    const { content, outlivesCall } = request;
    const options = liveDeadline(request, performance);
    const client = await this.#connect(options);
    try {
      const owned = this.#own(client, content, outlivesCall, options);
      return await client.wire.within(owned, 'taking the clipboard', options);
    } catch (error) {
      for (const owner of this.#owners) if (owner.uses(client)) owner.close();
      client.close();
      throw error;
    }
  }

  clear(call: CallOptions): Promise<void> {
    return this.#use(call, async (client) => {
      const time = await client.now();
      await client.wire.call('SetSelectionOwner', 0, client.clipboard, time);
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
      await client.wire.within(started, 'watching the clipboard', options);
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
    if (!outlivesCall && (await client.ownerOf(client.manager)) === 0) throw notPersistent();
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
      suggestion: `${byPerson('Start this without --no-daemon')}, so that the daemon keeps it.`,
      delivered: true,
    });
  }

  /** A manager takes ownership of saved content when it notices that its owner is gone. */
  async #isTakenOver({ signal }: CallOptions): Promise<boolean> {
    return this.#use({ deadlineMs: TAKEN_OVER_MS * 2, signal }, async (client) => {
      const end = performance.now() + TAKEN_OVER_MS;
      while (performance.now() < end) {
        if ((await client.ownerOf(client.clipboard)) !== 0) return true;
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
      return await client.wire.within(work(client, options), 'using the clipboard', limit);
    } finally {
      client.close();
    }
  }
}

const EXPLAIN_MS = 250;

function notPersistent(): DeskterityError {
  return new DeskterityError(
    'DAEMON_UNAVAILABLE',
    'The clipboard content would be lost after this call: there is neither a daemon nor a clipboard manager to keep it.',
    { suggestion: `${byPerson('Start this without --no-daemon')}.`, delivered: false },
  );
}

/** A client takes it, or its owner's window or connection closes. */
const EVERY_CHANGE = 1 | 2 | 4;

/**
 * Calls `onChange` whenever the owner of the clipboard changes. The content is not read: some owners send it only once, and
 * it may not be needed. Resolves when all later changes will be reported.
 * @throws DeskterityError ACTION_NOT_SUPPORTED if the server cannot report changes
 */
async function watchSelection(client: SelectionClient, onChange: () => void): Promise<void> {
  const clipboard = client.clipboard;
  const fixes = await client.wire.extension('fixes');
  if (fixes === undefined)
    throw unsupported(
      'This display cannot report clipboard changes: it lacks the XFIXES extension.',
      'Read the clipboard when you need it.',
    );
  client.wire.onEvent(({ name, selection }) => {
    if (name === 'SelectionNotify' && selection === clipboard) onChange();
  });
  client.wire.send(() => {
    fixes.SelectSelectionInput(client.window, clipboard, EVERY_CHANGE);
  });
  // It has no reply; a reply to a later request shows that it was processed.
  await client.ownerOf(client.clipboard);
}
