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

/** An owner may name as many targets as it likes. */
const MOST_TARGETS = 100;
/** Targets that say something about the data, or do something. */
const NO_DATA = /^(?:TARGETS|MULTIPLE|TIMESTAMP|SAVE_TARGETS|DELETE|INSERT_PROPERTY|INSERT_SELECTION)$/;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** For a clipboard manager to take what would be gone. */
const HAND_OVER_MS = 2000;
/** For it to own what it took, and how often that is looked at. */
const TAKEN_OVER_MS = 2000;
const LOOK_EVERY_MS = 25;

/** The CLIPBOARD selection of an X display. Each call has a connection of its own, and so has what is owned and each watch. */
export class X11Clipboard implements ClipboardPort {
  readonly #connect: (options: CallOptions) => Promise<SelectionClient>;
  readonly #owners = new Set<SelectionOwner>();
  /** How to end each watch; with a word to who listens, or without. */
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
    const options = liveDeadline(request, () => performance.now());
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
    const options = liveDeadline(call, () => performance.now());
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

  /** What is owned is left to a clipboard manager where there is one. */
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
    if (!outlivesCall && (await client.ownerOf('CLIPBOARD_MANAGER')) === 0) throw goneWithTheCall();
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
    throw new DeskterityError('ACTION_FAILED', 'The clipboard manager did not keep what it was given.', {
      suggestion: 'Leave --no-daemon out, so that the daemon keeps it.',
      delivered: true,
    });
  }

  /** A manager owns what it saved when it has seen that its owner is gone. */
  async #isTakenOver({ signal }: CallOptions): Promise<boolean> {
    return this.#use({ deadlineMs: TAKEN_OVER_MS * 2, signal }, async (client) => {
      const end = performance.now() + TAKEN_OVER_MS;
      while (performance.now() < end) {
        if ((await client.ownerOf('CLIPBOARD')) !== 0) return true;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
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

  /** Something that is over with the call. */
  async #use<T>(
    call: CallOptions,
    work: (client: SelectionClient, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, () => performance.now());
    const client = await this.#connect(options);
    try {
      // A little more than those below have, who can say what they wait for.
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
  const answer = await reader.convert(client.atom('TARGETS'), options);
  if (answer === undefined || answer.format !== 32) return undefined;
  return numbersOf({ ...answer, bytesAfter: 0 }).slice(0, MOST_TARGETS);
}

async function readText(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<ClipboardContent> {
  // An old owner may not know how to list its targets, and still have text.
  const targets = await targetsOf(client, reader, options);
  const offered = TEXT_TARGETS.filter((name) => targets === undefined || targets.includes(client.atom(name)));
  let hasLied = false;
  for (const name of offered) {
    const answer = await reader.convert(client.atom(name), options);
    if (answer === undefined) continue;
    const type = (await client.wire.atomName(answer.type)) ?? '';
    const text = answer.format === 8 ? decodeSelection(type, answer.data) : undefined;
    if (text !== undefined && text !== '') return { kind: 'text', text };
    hasLied ||= text === undefined;
  }
  if (hasLied) throw nonsense('text');
  throw empty('The clipboard holds no text.');
}

async function readImage(
  client: SelectionClient,
  reader: SelectionReader,
  options: CallOptions,
): Promise<ClipboardContent> {
  const answer = await reader.convert(client.atom('image/png'), options);
  if (answer === undefined) throw empty('The clipboard holds no PNG image.');
  const isPng = answer.format === 8 && answer.data.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
  if (!isPng) throw nonsense('a PNG image');
  return { kind: 'image', png: answer.data };
}

function empty(message: string): DeskterityError {
  return new DeskterityError('CLIPBOARD_EMPTY', message, {
    suggestion: `Copy something first; ${mentionCommand('clipboard has-image')} tells what is there.`,
  });
}

function nonsense(what: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The owner of the clipboard says that it has ${what}, and gives something else.`,
    { suggestion: 'Copy again in that application.' },
  );
}

function goneWithTheCall(): DeskterityError {
  return new DeskterityError(
    'DAEMON_UNAVAILABLE',
    'What is put on the clipboard would be gone with this call: there is no daemon to keep it, and no clipboard manager.',
    { suggestion: 'Leave --no-daemon out.', delivered: false },
  );
}
