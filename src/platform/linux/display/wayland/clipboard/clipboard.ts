import { byPerson } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type {
  ClipboardChange,
  ClipboardContent,
  ClipboardFormats,
  ClipboardKind,
  ClipboardWrite,
} from '../../../../../ports/clipboard.ts';
import { emptyClipboard, invalidClipboard, isPng, unicodeText, withoutNul } from '../../clipboard-content.ts';
import type { DisplayClipboard } from '../../display.ts';
import type { OpenSelection, OpensSelection } from './open-selection.ts';

/** In the order in which they are requested: those that name the character set first. */
const TEXT_FORMS = ['text/plain;charset=utf-8', 'UTF8_STRING', 'text/plain', 'TEXT', 'STRING'];
const IMAGE_FORM = 'image/png';

/** The clipboard of a compositor. Each call, owned content and watch has its own connection. */
export class WaylandClipboard implements DisplayClipboard {
  readonly #open: OpensSelection;
  /** Ends what we own. */
  #owned: (() => void) | undefined;
  /** Ends each watch, optionally notifying its listener. */
  readonly #watches = new Set<(change?: 'lost') => void>();

  constructor(open: OpensSelection) {
    this.#open = open;
  }

  get isOwned(): boolean {
    return this.#owned !== undefined;
  }

  /** No compositor tells. */
  async ownerPid(): Promise<undefined> {
    return undefined;
  }

  formats(call: CallOptions): Promise<ClipboardFormats> {
    return this.#use(call, async ({ forms = [] }) => ({
      names: [...forms],
      text: TEXT_FORMS.some((form) => forms.includes(form)),
      image: forms.includes(IMAGE_FORM),
    }));
  }

  read(kind: ClipboardKind, call: CallOptions): Promise<ClipboardContent> {
    return this.#use(call, async (selection, options) => {
      if (selection.forms === undefined) throw emptyClipboard('The clipboard is empty.');
      return kind === 'image' ? readImage(selection, options) : readText(selection, options);
    });
  }

  async write(request: ClipboardWrite): Promise<readonly string[]> {
    const { content, outlivesCall } = request;
    if (!outlivesCall) throw notPersistent();
    const options = liveDeadline(request, performance);
    const selection = await this.#open(options, true);
    try {
      const forms = formsOf(content);
      const before = this.#owned;
      let end = (): void => undefined;
      const lose = (): void => {
        if (this.#owned === end) this.#owned = undefined;
        selection.close();
      };
      const release = await selection.own(forms, lose, options);
      end = () => {
        release();
        lose();
      };
      selection.onLoss(lose);
      this.#owned = end;
      before?.();
      return [...forms.keys()];
    } catch (error) {
      selection.close();
      throw error;
    }
  }

  async clear(call: CallOptions): Promise<void> {
    await this.#use(call, (selection, options) => selection.clear(options));
    // The compositor tells us later that nothing is ours any more.
    this.#owned?.();
  }

  async watch(listener: (change: ClipboardChange) => void, call: CallOptions): Promise<() => void> {
    const options = liveDeadline(call, performance);
    const selection = await this.#open(options, false);
    let isOver = false;
    const end = (change?: 'lost'): void => {
      if (isOver) return;
      isOver = true;
      this.#watches.delete(end);
      selection.close();
      if (change !== undefined) listener(change);
    };
    // What is there now was told before this.
    selection.onChange(() => {
      if (!isOver) listener('changed');
    });
    this.#watches.add(end);
    selection.onLoss(() => end('lost'));
    return () => end();
  }

  async close(): Promise<void> {
    for (const end of this.#watches) end('lost');
    this.#owned?.();
  }

  /** Work on a connection that ends with the call. */
  async #use<T>(
    call: CallOptions,
    work: (selection: OpenSelection, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, performance);
    const selection = await this.#open(options, false);
    try {
      return await work(selection, options);
    } finally {
      selection.close();
    }
  }
}

function formsOf(content: ClipboardContent): ReadonlyMap<string, Buffer> {
  if (content.kind === 'image') return new Map([[IMAGE_FORM, Buffer.from(content.png)]]);
  const text = Buffer.from(content.text, 'utf8');
  return new Map(['text/plain;charset=utf-8', 'text/plain', 'UTF8_STRING'].map((form) => [form, text]));
}

async function readText(selection: OpenSelection, options: CallOptions): Promise<ClipboardContent> {
  const form = TEXT_FORMS.find((each) => selection.forms?.includes(each));
  if (form === undefined) throw emptyClipboard('The clipboard contains no text.');
  const data = await selection.read(form, options);
  const text = withoutNul(form === 'STRING' ? data.toString('latin1') : unicodeText(data));
  if (text === '') throw emptyClipboard('The clipboard contains no text.');
  return { kind: 'text', text };
}

async function readImage(selection: OpenSelection, options: CallOptions): Promise<ClipboardContent> {
  if (selection.forms?.includes(IMAGE_FORM) !== true)
    throw emptyClipboard('The clipboard contains no PNG image.');
  const png = await selection.read(IMAGE_FORM, options);
  if (!isPng(png)) throw invalidClipboard('a PNG image');
  return { kind: 'image', png };
}

function notPersistent(): DeskterityError {
  return new DeskterityError(
    'DAEMON_UNAVAILABLE',
    'The clipboard content would be lost after this call: there is no daemon to keep it.',
    { suggestion: `${byPerson('Start this without --no-daemon')}.`, delivered: false },
  );
}
