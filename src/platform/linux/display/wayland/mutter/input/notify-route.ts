import type { Bounds } from '../../../../../../model/tree/bounds.ts';
import type { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { MouseButton, Point } from '../../../../../../ports/input.ts';
import { Variant } from '../../../../dbus/index.ts';
import { explained, type RemoteDesktop } from '../remote-desktop.ts';
import { BUTTON_CODES, type InputRoute } from '../../input/input-route.ts';

const SCREEN_CAST_NAME = 'org.gnome.Mutter.ScreenCast';
const SCREEN_CAST = {
  destination: SCREEN_CAST_NAME,
  path: '/org/gnome/Mutter/ScreenCast',
  interface: SCREEN_CAST_NAME,
} as const;
const AXIS = { y: 0, x: 1 } as const;
/** A key that no layout has a meaning for. */
const KEY_UNKNOWN = 240;

/** Keys and pointer by calls to Mutter. Its places are those of a screen cast, which nobody watches. */
export class NotifyRoute implements InputRoute {
  readonly layout = undefined;
  readonly #session: RemoteDesktop;
  readonly #stream: string;
  readonly #origin: Point;

  private constructor(session: RemoteDesktop, stream: string, origin: Point) {
    this.#session = session;
    this.#stream = stream;
    this.#origin = origin;
  }

  /**
   * @param session which is started here
   * @param screen around all screens
   * @throws DeskterityError
   */
  static async open(session: RemoteDesktop, screen: Bounds, options: CallOptions): Promise<NotifyRoute> {
    let stream: string;
    try {
      stream = await castOf(session, screen, options);
    } catch (error) {
      throw explained(error);
    }
    await session.start(options);
    const route = new NotifyRoute(session, stream, screen);
    // Devices exist from their first event on, and applications miss what comes before they know of them.
    session.notify('NotifyPointerMotionRelative', 'dd', [0, 0]);
    route.key(KEY_UNKNOWN, true);
    route.key(KEY_UNKNOWN, false);
    await route.synced();
    return route;
  }

  get isLost(): boolean {
    return this.#session.isLost;
  }

  moveTo({ x, y }: Point): void {
    const place = [this.#stream, x - this.#origin.x, y - this.#origin.y];
    this.#session.notify('NotifyPointerMotionAbsolute', 'sdd', place);
  }

  button(button: MouseButton, isDown: boolean): void {
    this.#session.notify('NotifyPointerButton', 'ib', [BUTTON_CODES[button], isDown]);
  }

  notch(axis: 'x' | 'y', direction: 1 | -1): void {
    this.#session.notify('NotifyPointerAxisDiscrete', 'ui', [AXIS[axis], direction]);
  }

  key(code: number, isDown: boolean): void {
    this.#session.notify('NotifyKeyboardKeycode', 'ub', [code, isDown]);
  }

  synced(): Promise<void> {
    return this.#session.taken();
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    return this.#session.onLoss(listener);
  }

  close(): void {
    this.#session.close();
  }
}

/** A cast of everything that belongs to the session, and starts and ends with it. @returns its stream */
async function castOf(session: RemoteDesktop, screen: Bounds, options: CallOptions): Promise<string> {
  const { bus } = session;
  const belongsTo = new Map([['remote-desktop-session-id', new Variant('s', await session.id(options))]]);
  const create = { ...SCREEN_CAST, member: 'CreateSession', signature: 'a{sv}', args: [belongsTo] };
  const [cast] = await bus.call(create, options);
  if (typeof cast !== 'string') throw new Error('Mutter returned no screen cast');
  const { x, y, width, height } = screen;
  const [stream] = await bus.call(
    {
      destination: SCREEN_CAST_NAME,
      path: cast,
      interface: `${SCREEN_CAST_NAME}.Session`,
      member: 'RecordArea',
      signature: 'iiiia{sv}',
      args: [x, y, width, height, new Map()],
    },
    options,
  );
  if (typeof stream !== 'string') throw new Error('Mutter returned no stream');
  return stream;
}
