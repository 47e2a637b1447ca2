import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import { intersect } from '../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import { unsupported } from '../../../failures.ts';
import { BusConnection } from '../../../dbus/index.ts';
import type { DisplayConnection, DisplayPortal } from '../../display.ts';
import { notShown, outsideScreens } from '../capture-errors.ts';
import { cropped } from '../cropping.ts';
import { layoutOf, onScreens } from '../outputs.ts';
import { requestedArea } from '../requested-area.ts';
import { windowNotFound } from '../window-errors.ts';
import { sessionBusOf } from '../session-bus.ts';
import { PORTAL_NAME } from './portal-requests.ts';
import { ScreenshotPortal } from './screenshot-portal.ts';

/** Pictures by the desktop portal, on any compositor, for those who want the person to be asked. It knows only whole screens. */
export class PortalPictures implements DisplayPortal {
  readonly #environment: Environment;
  readonly #portal: ScreenshotPortal;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#portal = new ScreenshotPortal(environment, noPortal);
  }

  async isRunning(options: CallOptions): Promise<boolean> {
    const bus = await BusConnection.connect(sessionBusOf(this.#environment), options);
    const asked = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
    const call = { ...asked, interface: 'org.freedesktop.DBus', member: 'NameHasOwner' };
    try {
      const [isOwned] = await bus.call({ ...call, signature: 's', args: [PORTAL_NAME] }, options);
      return isOwned === true;
    } finally {
      bus.close();
    }
  }

  /** @throws DeskterityError as {@link ScreenshotPortal.take}, and INVALID_ARGUMENT, WINDOW_NOT_FOUND, NOT_ACTIONABLE for what is not on the screens */
  async take(
    target: CaptureTarget,
    connection: DisplayConnection,
    options: CallOptions,
  ): Promise<CapturedImage> {
    const { screen } = await connection.facts(options);
    const screens = (screen?.monitors ?? (screen === undefined ? [] : [{ x: 0, y: 0, ...screen }])).map(
      (bounds) => ({
        bounds,
      }),
    );
    const area =
      target.kind === 'window'
        ? await windowArea(target.windowId, { connection, screens }, options)
        : requestedArea(target, screens);
    const layout = layoutOf(screens);
    const picture = await this.#portal.take(options);
    const scale = picture.width / layout.width;
    return cropped({ ...picture, origin: { x: layout.x, y: layout.y }, scale }, area);
  }

  close(): void {
    this.#portal.close();
  }
}

type Screens = Parameters<typeof onScreens>[1];

async function windowArea(
  id: string,
  { connection, screens }: { readonly connection: DisplayConnection; readonly screens: Screens },
  options: CallOptions,
) {
  const windows = (await connection.windows?.list(options)) ?? [];
  const window = windows.find((one) => one.id === id);
  if (window === undefined) throw windowNotFound(id);
  const { minimized, isHidden = minimized, stacking = 0, bounds } = window;
  if (isHidden) throw notShown(id, minimized);
  const visible = onScreens(bounds, screens);
  if (visible === undefined) throw outsideScreens(id);
  const isCovered = windows.some(
    (other) =>
      (other.stacking ?? 0) > stacking &&
      !(other.isHidden ?? other.minimized) &&
      intersect(other.bounds, visible) !== undefined,
  );
  if (!isCovered) return visible;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `Window ${id} is covered by another window, and the desktop portal gives only what the screen shows.`,
    { suggestion: `Bring it to the front first: ${mentionCommand('focus-window', { window: id })}.` },
  );
}

function noPortal(): DeskterityError {
  return unsupported(
    'No desktop portal takes screenshots here.',
    'Install xdg-desktop-portal and its part for this desktop, or set screenshot.consent to auto.',
  );
}
