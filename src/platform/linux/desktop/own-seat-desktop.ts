import { overlay } from '../../../model/overlay.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../../ports/desktop/windows.ts';
import type { OwnSeat } from '../display/display.ts';
import type { SeatedAct } from './proven-seat.ts';

/** Members that are the same whichever keyboard and pointer are used. */
const SAME = [
  'capabilities',
  'screen',
  'desktopId',
  'status',
  'permissions',
  'machineChecks',
  'openProbe',
  'listApps',
  'processOf',
  'requireAllowed',
  'listPopups',
  'resolveLaunch',
  'launch',
  'closeApp',
  'isProcessAlive',
  'startedLately',
  'userTimeMs',
  'readTree',
  'describe',
  'requireAction',
  'press',
  'setValue',
  'choose',
  'insertText',
  'textEditing',
  'changeText',
  'caret',
  'placeCaret',
  'scrollIntoView',
  'contentAt',
  'activationDelayMs',
  'menusAwaitOpening',
  'watch',
  'watchNotifications',
  'capture',
  'picturedFor',
  'watchPicture',
  'clipboard',
  'stopSwitch',
  'close',
] as const satisfies readonly (keyof DesktopPort)[];

/** What the desktop knows of windows and applications beyond its port. */
interface Known {
  /** The display's id of a window. */
  readonly displayId: (windowId: string, options: CallOptions) => Promise<string>;
  /** @throws DeskterityError ACTION_NOT_SUPPORTED if an application is not to be worked so with a second keyboard and pointer; without a tree if `app` is empty */
  readonly requireAllowed: (
    app: string,
    act: Pick<SeatedAct, 'use' | 'isBesideUser'>,
    options: CallOptions,
  ) => Promise<void>;
}

/** The desktop as it is for who works it with a keyboard and a pointer of our own; see `DesktopPort.ownSeat`. */
export function ownSeatDesktop(
  desktop: DesktopPort,
  seat: OwnSeat,
  { displayId, requireAllowed }: Known,
): DesktopPort {
  return overlay<DesktopPort, (typeof SAME)[number]>(desktop, SAME, {
    input: seat.input,
    listWindows: async (options) => {
      const windows = await desktop.listWindows(options);
      const receivers = await seat.receivers(options);
      return windows.map((window) => forSeat(window, receivers));
    },
    controlWindow: async (id, request, options) =>
      request.kind === 'focus'
        ? seat.focus(await displayId(id, options), options)
        : desktop.controlWindow(id, request, options),
    takeTurn: async (application, options) => {
      const { app, byHand: use, isTarget } = application;
      if (use !== undefined) {
        const isBesideUser = isTarget !== undefined && (await besideUser(desktop, isTarget, options));
        await requireAllowed(app, { use, isBesideUser }, options);
      }
      return desktop.takeTurn(application, options);
    },
    // Toolkits also make the window active.
    perform: (node, act, options) =>
      act === 'focus'
        ? seat.keepingFocus(() => desktop.perform(node, act, options), options)
        : desktop.perform(node, act, options),
  });
}

/** Whether the user is in another window of the application that is acted on. */
async function besideUser(
  desktop: Pick<DesktopPort, 'listWindows'>,
  isTarget: (window: DesktopWindow) => boolean,
  options: CallOptions,
): Promise<boolean> {
  const windows = await desktop.listWindows(options);
  const target = windows.find(isTarget);
  const users = windows.find(({ focused }) => focused);
  if (target === undefined || users === undefined || target === users) return false;
  return (target.clientPid ?? target.pid) === (users.clientPid ?? users.pid);
}

function forSeat(window: DesktopWindow, receivers: ReadonlySet<string>): DesktopWindow {
  const { id, otherId } = window;
  const isReceiver = receivers.has(id) || (otherId !== undefined && receivers.has(otherId));
  return { ...window, focused: isReceiver, hasInput: isReceiver };
}
