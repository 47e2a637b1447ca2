import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import { Variant, type BusValue } from '../../../../dbus/index.ts';
import { waitAtMost } from '../../../waiting.ts';
import type { OpenSelection } from '../../clipboard/open-selection.ts';
import { CLIPBOARD_LIMIT, MOST_FORMS, ownerSilent, READ_LIMIT_MS } from '../../clipboard/selection-errors.ts';
import { readPipe, writePipe } from '../../wire/pipes.ts';
import { explained, RemoteDesktop } from '../remote-desktop.ts';

const MIME_TYPES = 'mime-types';
const IS_OURS = 'session-is-owner';
const NOTHING = new Map<BusValue, BusValue>();

/** The clipboard through a remote-desktop session of Mutter. The session is never started, so that GNOME does not show its indicator. */
export class MutterSelection implements OpenSelection {
  forms: readonly string[] | undefined;
  readonly #session: RemoteDesktop;
  #onChange: (() => void) | undefined;
  #owned: { readonly forms: ReadonlyMap<string, Buffer>; readonly onLost: () => void } | undefined;

  private constructor(session: RemoteDesktop) {
    this.#session = session;
    session.onSignal((member, body) => {
      if (member === 'SelectionOwnerChanged') this.#changed(body[0]);
      if (member === 'SelectionTransfer') void this.#give(body).catch(() => undefined);
    });
  }

  /** Resolves once what is in the clipboard is known. @throws DeskterityError */
  static async open(
    environment: Environment,
    display: string,
    options: CallOptions,
  ): Promise<MutterSelection> {
    const session = await RemoteDesktop.create(environment, display, options);
    const selection = new MutterSelection(session);
    try {
      await session.call('EnableClipboard', 'a{sv}', [NOTHING], options);
      return selection;
    } catch (error) {
      session.close();
      throw explained(error);
    }
  }

  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  async read(form: string, options: CallOptions): Promise<Buffer> {
    const ended = new AbortController();
    try {
      const pipe = await this.#session.callForDescriptor('SelectionRead', 's', [form], options);
      return await waitAtMost(readPipe(pipe, ended.signal, CLIPBOARD_LIMIT), options, {
        doing: 'reading the clipboard',
        late: ownerSilent,
      });
    } catch (error) {
      throw error instanceof DeskterityError ? error : explained(error);
    } finally {
      ended.abort();
    }
  }

  async own(
    forms: ReadonlyMap<string, Buffer>,
    onLost: () => void,
    options: CallOptions,
  ): Promise<() => void> {
    this.#owned = { forms, onLost };
    const offered = new Map([[MIME_TYPES, new Variant('as', [...forms.keys()])]]);
    await this.#call('SetSelection', [offered], options);
    return () => {
      this.#owned = undefined;
    };
  }

  /** What a session owns leaves the clipboard with it. */
  async clear(options: CallOptions): Promise<void> {
    const offered = new Map([[MIME_TYPES, new Variant('as', ['text/plain'])]]);
    await this.#call('SetSelection', [offered], options);
    await this.#session.call('DisableClipboard', '', [], options);
  }

  onLoss(listener: (reason: DeskterityError) => void): void {
    this.#session.onLoss(listener);
  }

  close(): void {
    this.#session.close();
  }

  async #call(member: string, args: readonly BusValue[], options: CallOptions): Promise<void> {
    try {
      await this.#session.call(member, 'a{sv}', args, options);
    } catch (error) {
      throw explained(error);
    }
  }

  #changed(told: BusValue | undefined): void {
    const facts = told instanceof Map ? told : NOTHING;
    const forms = textsIn(facts.get(MIME_TYPES));
    this.forms = forms.length === 0 ? undefined : forms.slice(0, MOST_FORMS);
    const owned = this.#owned;
    if (owned !== undefined && !isTrue(facts.get(IS_OURS))) {
      this.#owned = undefined;
      owned.onLost();
    }
    this.#onChange?.();
  }

  /** Another program wants what we own. */
  async #give([form, serial]: readonly BusValue[]): Promise<void> {
    if (typeof form !== 'string' || typeof serial !== 'number') return;
    const data = this.#owned?.forms.get(form);
    const options = { deadlineMs: READ_LIMIT_MS };
    const isWhole =
      data !== undefined &&
      (await writePipe(
        await this.#session.callForDescriptor('SelectionWrite', 'u', [serial], options),
        data,
        READ_LIMIT_MS,
      ));
    await this.#session.call('SelectionWriteDone', 'ub', [serial, isWhole], options);
  }
}

/** Mutter tells forms as an array, or as a structure that contains one. */
function textsIn(value: BusValue | undefined): readonly string[] {
  if (value instanceof Variant) return textsIn(value.value);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.flatMap((each: BusValue) => textsIn(each)) : [];
}

function isTrue(value: BusValue | undefined): boolean {
  return value === true || (value instanceof Variant && value.value === true);
}
