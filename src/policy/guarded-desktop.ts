import { overlay } from '../model/overlay.ts';
import type { ApplicationFacts, Policy } from '../model/policy/verdict.ts';
import type { NodeHandle } from '../model/tree/node.ts';
import type { CallOptions } from '../ports/call-options.ts';
import type { CapturedImage } from '../ports/desktop/capture.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { DesktopWindow, LaunchRequest } from '../ports/desktop/windows.ts';
import { ApplicationGuard, factsOfWindow, type FindExecutable } from './application-guard.ts';
import { blank } from './blank.ts';
import type { Use } from './is-refused.ts';
import { guardedInput } from './guarded-input.ts';

/** Methods through which no application is read or changed. */
const FREE = [
  'capabilities',
  'screen',
  'desktopId',
  'status',
  'permissions',
  'machineChecks',
  'openProbe',
  'listApps',
  'listPopups',
  'isProcessAlive',
  'startedLately',
  'userTimeMs',
  'activationDelayMs',
  'menusAwaitOpening',
  'contentAt',
  'takeTurn',
  'watchPicture',
  'clipboard',
  'stopSwitch',
  'close',
] as const satisfies readonly (keyof DesktopPort)[];

const TITLE = '(denied by the policy)';

/**
 * A desktop on which denied applications can be neither read nor changed, whatever way leads to them: every request goes through this port, after its
 * target has been resolved.
 */
export function guardedDesktop(
  desktop: DesktopPort,
  executableOf: FindExecutable,
  policyNow: () => Policy | undefined,
): DesktopPort {
  const guard = new ApplicationGuard(desktop, executableOf, policyNow);
  const onNode =
    <A extends readonly [NodeHandle, ...unknown[]], R>(
      method: (...given: A) => Promise<R>,
      use: Use = 'act',
    ) =>
    async (...given: A): Promise<R> => {
      await guard.requireApp(given[0].app, optionsIn(given), use);
      return method(...given);
    };
  return overlay<DesktopPort, (typeof FREE)[number]>(desktop, FREE, {
    listWindows: async (options) =>
      Promise.all((await guard.windows(options)).map((window) => withoutTexts(guard, window))),
    resolveLaunch: async (request) => {
      await guard.require(factsOfLaunch(request));
      return desktop.resolveLaunch(request);
    },
    launch: async (request) => {
      await guard.require(factsOfLaunch(request));
      return desktop.launch(request);
    },
    closeApp: async (pid, options) => {
      await guard.requireProcess(pid, options);
      return desktop.closeApp(pid, options);
    },
    controlWindow: async (id, request, options) => {
      await guard.requireWindow(id, options);
      return desktop.controlWindow(id, request, options);
    },
    readTree: async (request) => {
      await guard.requireApp(request.root.app, request, 'read');
      return desktop.readTree(request);
    },
    describe: onNode((...given: Parameters<DesktopPort['describe']>) => desktop.describe(...given), 'read'),
    requireAction: onNode(
      (...given: Parameters<DesktopPort['requireAction']>) => desktop.requireAction(...given),
      'read',
    ),
    press: onNode((...given: Parameters<DesktopPort['press']>) => desktop.press(...given)),
    setValue: onNode((...given: Parameters<DesktopPort['setValue']>) => desktop.setValue(...given)),
    perform: onNode((...given: Parameters<DesktopPort['perform']>) => desktop.perform(...given)),
    choose: onNode((...given: Parameters<DesktopPort['choose']>) => desktop.choose(...given)),
    insertText: onNode((...given: Parameters<DesktopPort['insertText']>) => desktop.insertText(...given)),
    textEditing: onNode(
      (...given: Parameters<DesktopPort['textEditing']>) => desktop.textEditing(...given),
      'read',
    ),
    changeText: onNode((...given: Parameters<DesktopPort['changeText']>) => desktop.changeText(...given)),
    caret: onNode((...given: Parameters<DesktopPort['caret']>) => desktop.caret(...given), 'read'),
    placeCaret: onNode((...given: Parameters<DesktopPort['placeCaret']>) => desktop.placeCaret(...given)),
    scrollIntoView: onNode((...given: Parameters<DesktopPort['scrollIntoView']>) =>
      desktop.scrollIntoView(...given),
    ),
    watch: async (listener, options) => {
      if (options.appId !== undefined) await guard.requireApp(options.appId, options, 'read');
      return desktop.watch(listener, options);
    },
    watchNotifications: (listener, options) =>
      desktop.watchNotifications(
        {
          ...listener,
          notified: (notification) => {
            const verdict = policyNow()?.decide({ application: { name: notification.app } });
            // What allows is known of a program only by its process, which notifications do not tell.
            if (verdict?.decision !== 'deny') listener.notified(notification);
          },
        },
        options,
      ),
    capture: async (target, options) => {
      if (target.kind === 'window') await guard.requireWindow(target.windowId, options, 'read');
      const before = await guard.deniedPlaces(options);
      const image = await desktop.capture(target, options);
      // A window may have moved meanwhile.
      return blanked(image, [...before, ...(await guard.deniedPlaces(options))]);
    },
    input: guardedInput(desktop.input, guard),
  });
}

function blanked(image: CapturedImage, places: Parameters<typeof blank>[1]): CapturedImage {
  return places.length === 0 ? image : blank(image, places);
}

async function withoutTexts(guard: ApplicationGuard, window: DesktopWindow): Promise<DesktopWindow> {
  const verdict = await guard.verdict(factsOfWindow(window));
  if (verdict?.decision !== 'deny') return window;
  const reason = `The policy denies this application (${verdict.rule}).`;
  return { ...window, title: TITLE, reason, isDenied: true };
}

function factsOfLaunch({ app }: LaunchRequest): ApplicationFacts {
  const program = app.slice(app.lastIndexOf('/') + 1);
  return { name: app, program, executable: app.startsWith('/') ? app : undefined };
}

/** The options of a call are its last argument. */
function optionsIn(given: readonly unknown[]): CallOptions {
  const last = given.at(-1);
  return isOptions(last) ? last : { deadlineMs: 2000 };
}

function isOptions(value: unknown): value is CallOptions {
  return typeof value === 'object' && value !== null && 'deadlineMs' in value;
}
