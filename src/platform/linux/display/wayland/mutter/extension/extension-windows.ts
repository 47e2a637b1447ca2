import type { FocusedWindow } from '../../input/devices.ts';
import { z } from 'zod';
import { parseJson } from '../../../../../../model/parse-json.ts';
import type { Bounds } from '../../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { WindowRequest } from '../../../../../../ports/desktop/windows.ts';
import type { Point } from '../../../../../../ports/input.ts';
import type {
  DisplayPlace,
  DisplayPointContent,
  DisplayPopup,
  DisplayWindow,
  DisplayWindowEvent,
} from '../../../display.ts';
import { isOnOtherDisplay } from '../../elsewhere.ts';
import { framedRequest, untilAdopted } from '../../framed-window.ts';
import { notOnDisplay, windowNotFound, windowRefused } from '../../window-errors.ts';
import { asDeskterityError } from '../../wire/wayland-errors.ts';
import type { ShellAccess } from '../windows/shell-access.ts';
import type { ShellWindows } from '../windows/shell-windows.ts';
import { ClientTitleBars } from './client-title-bars.ts';
import {
  drawnPart,
  ExtensionAnswer,
  ExtensionList,
  ExtensionPoint,
  innerId,
  pidOf,
  publicId,
  toDisplayPopup,
  toDisplayWindow,
  type ExtensionWindow,
  type PlacedWindow,
} from './extension-window.ts';
import type { ExtensionCall, ShellExtension } from './shell-extension.ts';

const EventKind = z.enum(['window-opened', 'window-closed', 'window-changed', 'active-changed']);

/** The windows of GNOME Shell as our extension tells them: all of them, menus too, each with its place. */
export class ExtensionWindows implements ShellWindows {
  /** Wayland tells no client where its windows are. */
  readonly clientsKnowPlaces = false;
  readonly #extension: ShellExtension;
  readonly #shellPid: number;
  readonly #display: string;
  readonly #titleBars: ClientTitleBars;

  constructor(
    extension: ShellExtension,
    { applications, shellPid }: Pick<ShellAccess, 'applications' | 'shellPid'>,
    display: string,
  ) {
    this.#extension = extension;
    this.#shellPid = shellPid;
    this.#display = display;
    this.#titleBars = new ClientTitleBars(applications);
  }

  async list(options: CallOptions): Promise<readonly DisplayWindow[]> {
    return (await this.read(options)).map(toDisplayWindow);
  }

  async popups(options: CallOptions): Promise<readonly DisplayPopup[]> {
    return (await this.#told(options))
      .filter(({ isPopup, isShown }) => isPopup && isShown)
      .map(toDisplayPopup);
  }

  async place(id: string, options: CallOptions): Promise<DisplayPlace | undefined> {
    const found = await this.find(id, options);
    return found && { bounds: found.content };
  }

  async contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent> {
    const owner = await this.#at(point, options);
    if (owner === undefined) return {};
    if (owner === 'shell') return { pid: this.#shellPid };
    const pid = pidOf(owner);
    if (owner.isPopup) return { pid, popup: { bounds: drawnPart(owner), isTooltip: owner.isTooltip } };
    return owner.isUser ? { windowId: publicId(owner.id), pid } : { pid };
  }

  async ownerAt(point: Point, options: CallOptions): Promise<string> {
    const owner = await this.#at(point, options);
    if (owner === undefined) return 'none';
    if (owner === 'shell') return owner;
    return `${publicId(owner.id)} at ${owner.frame.x},${owner.frame.y}`;
  }

  async focused(options: CallOptions): Promise<FocusedWindow | undefined> {
    const found = (await this.#told(options)).find(({ active }) => active);
    return found && { id: publicId(found.id), pid: found.pid };
  }

  async control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }> {
    const window = await this.find(id, options);
    if (window === undefined) throw innerId(id) === undefined ? notOnDisplay() : windowNotFound(id);
    const asked = framedRequest('GNOME Shell', window, request);
    if (asked === undefined) return { via: 'none' };
    const told = JSON.stringify({ id: window.id, ...asked });
    const doing = `asking GNOME Shell to ${request.kind} a window`;
    const answer = await this.#ask(doing, ExtensionAnswer, ['Control', 's', [told]], options);
    if (answer.isMissing === true) throw windowNotFound(id);
    if (answer.complaint !== undefined) throw windowRefused('GNOME Shell', request.kind, answer.complaint);
    await untilAdopted(window, asked, () => this.find(id, options), options);
    return { via: `gnome:${request.kind}` };
  }

  /** Mutter does not tell when an application last saw input. */
  async userTimeMs(): Promise<number | undefined> {
    return undefined;
  }

  async watch(listener: (event: DisplayWindowEvent) => void): Promise<() => void> {
    return this.#extension.onEvent((told, id) => {
      const kind = EventKind.safeParse(told).data;
      if (kind !== undefined) listener({ kind, id: id === '' ? undefined : publicId(id) });
    });
  }

  isElsewhere(pid: number): boolean {
    return isOnOtherDisplay(pid, this.#display);
  }

  /** Windows, without menus, lowest first. */
  async read(options: CallOptions): Promise<readonly PlacedWindow[]> {
    const windows = (await this.#told(options)).filter(({ isPopup }) => !isPopup);
    return this.#titleBars.place(windows, options);
  }

  async find(id: string, options: CallOptions): Promise<PlacedWindow | undefined> {
    const inner = innerId(id);
    if (inner === undefined) return undefined;
    const window = (await this.#told(options)).find((each) => each.id === inner);
    return window && (await this.#titleBars.place([window], options))[0];
  }

  /** What lies over a window, lowest first; its own menus are part of it. */
  async coversOf(id: string, options: CallOptions): Promise<readonly Bounds[]> {
    const all = await this.#told(options);
    const at = all.findIndex((each) => publicId(each.id) === id);
    const own = all[at]?.id;
    return all
      .slice(at + 1)
      .filter((other) => other.isShown && !(other.isPopup && other.parent === own))
      .map(({ frame }) => frame);
  }

  async #told(options: CallOptions): Promise<readonly ExtensionWindow[]> {
    const { windows } = await this.#ask('listing windows', ExtensionList, ['List', '', []], options);
    return windows;
  }

  async #at({ x, y }: Point, options: CallOptions): Promise<ExtensionWindow | 'shell' | undefined> {
    const asked: ExtensionCall = ['At', 'ii', [x, y]];
    const [point, windows] = await Promise.all([
      this.#ask('looking at a place', ExtensionPoint, asked, options),
      this.#told(options),
    ]);
    if (point.kind === 'none') return undefined;
    return point.kind === 'shell' ? 'shell' : windows.find(({ id }) => id === point.id);
  }

  async #ask<T>(doing: string, form: z.ZodType<T>, call: ExtensionCall, options: CallOptions): Promise<T> {
    const answer = await this.#extension.call(call, doing, options);
    try {
      return form.parse(parseJson(typeof answer === 'string' ? answer : ''));
    } catch (error) {
      throw asDeskterityError(error, doing);
    }
  }
}
