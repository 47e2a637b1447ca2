import { endIfLate } from '../../waiting.ts';
import { z } from 'zod';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import type { Point } from '../../../../../ports/input.ts';
import type { PictureWatch } from '../../../../../ports/picture-watch.ts';
import type { DesktopStatus } from '../../../../../ports/desktop/desktop.ts';
import type { Checks, DisplayConnection } from '../../display.ts';
import type { WaylandPlace } from '../family.ts';
import { Outputs, screenOf } from '../outputs.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { Capture } from './capture.ts';
import { SwayIpc } from './sway-ipc.ts';
import { SwayWindows } from './sway-windows.ts';

const Version = z.object({ human_readable: z.string() });

/** One display of the wlroots family. */
export class WlrootsConnection implements DisplayConnection {
  readonly windows: SwayWindows | undefined;
  readonly #wire: WaylandWire;
  readonly #ipc: SwayIpc | undefined;
  readonly #outputs: Outputs;
  readonly #capture: Capture;

  private constructor(
    wire: WaylandWire,
    ipc: SwayIpc | undefined,
    { path, pointer }: { readonly path: string; readonly pointer: () => Point | undefined },
  ) {
    this.#wire = wire;
    this.#ipc = ipc;
    this.windows = ipc && new SwayWindows(ipc, { display: wire.display, path });
    this.#outputs = new Outputs(wire);
    this.#capture = new Capture(wire, this.#outputs, this.windows, pointer);
  }

  /** @throws DeskterityError */
  static async open(
    wire: WaylandWire,
    { environment, pointer }: WaylandPlace,
    options: CallOptions,
  ): Promise<WlrootsConnection> {
    const path = environment['SWAYSOCK'];
    const ipc = path ? await SwayIpc.connect({ display: wire.display, path }, options) : undefined;
    return new WlrootsConnection(wire, ipc, { path: path ?? '', pointer });
  }

  get name(): string {
    return this.#wire.display;
  }

  async facts(options: CallOptions): Promise<Pick<DesktopStatus, 'screen' | 'windowManager'>> {
    const doing = 'reading the screens';
    const [outputs, windowManager] = await Promise.all([
      this.#wire.within(this.#outputs.list(), doing, options),
      this.#compositor(options),
    ]);
    return { screen: screenOf(outputs), ...(windowManager === undefined ? {} : { windowManager }) };
  }

  async check(options: CallOptions): Promise<Checks> {
    const compositor = await this.#compositor(options);
    return [
      {
        name: 'display',
        ok: true,
        detail: `Wayland display ${this.name}, whose compositor is of the wlroots family.`,
      },
      compositor === undefined
        ? {
            name: 'window-manager',
            ok: false,
            detail: 'Nothing tells where windows are: SWAYSOCK is not set.',
            fix: 'Run this inside sway, or set SWAYSOCK to its socket.',
          }
        : { name: 'window-manager', ok: true, detail: `${compositor}, asked through its IPC.` },
    ];
  }

  capture(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    return this.#wire.within(this.#capture.take(target, options), `capturing the ${target.kind}`, options);
  }

  watchPicture(listener: () => void, options: CallOptions): Promise<PictureWatch> {
    return endIfLate(
      this.#capture.watch(listener),
      (watching) => this.#wire.within(watching, 'watching the screens', options),
      (watch) => watch.end(),
    );
  }

  onLoss(listener: (reason: DeskterityError) => void): void {
    this.#wire.onLoss(listener);
    this.#ipc?.onLoss(listener);
  }

  close(): void {
    this.windows?.close();
    this.#ipc?.close();
    this.#wire.close();
  }

  async #compositor(options: CallOptions): Promise<string | undefined> {
    if (this.#ipc === undefined) return undefined;
    const version = Version.safeParse(
      await this.#ipc.ask('version', '', 'asking for the version of sway', options),
    );
    return version.success ? `sway ${version.data.human_readable.slice(0, 40)}` : 'sway';
  }
}
