import { overlay } from '../../model/overlay.ts';
import type { NodeHandle } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { ProbeWindow } from '../../ports/probe-window.ts';
import { ApplicationGuard, type GuardParts } from './application-guard.ts';
import { guardedCapture } from './guarded-capture.ts';
import { guardedClipboard } from './guarded-clipboard.ts';
import { guardedNotifications, guardedWatch } from './guarded-events.ts';
import { guardedInput } from './guarded-input.ts';
import type { Use } from './is-refused.ts';
import { requireLaunchable } from './require-launchable.ts';
import { shownApp, shownContent, shownWindow, withoutDenied } from './shown.ts';

/** Members that concern no single application, or from which nothing but times and places can be learned. */
export const FREE = [
  'capabilities',
  'screen',
  'desktopId',
  'status',
  'permissions',
  'machineChecks',
  'processOf',
  'listPopups',
  'isProcessAlive',
  'startedLately',
  'userTimeMs',
  'takeTurn',
  'watchPicture',
  'stopSwitch',
  'close',
] as const satisfies readonly (keyof DesktopPort)[];

/**
 * A desktop on which denied applications exist, and nothing more: they are listed, and can be neither read nor changed, whatever way leads to them. Every
 * request goes through this port, after its target has been resolved.
 */
export function guardedDesktop(parts: GuardParts): DesktopPort {
  const { desktop } = parts;
  const guard = new ApplicationGuard(parts);
  /** A method whose first argument is an element, and whose last one are the options of the call. */
  const onNode =
    <Options extends CallOptions, R>(
      method: (node: NodeHandle, options: Options) => Promise<R>,
      use: Use = 'act',
    ) =>
    async (node: NodeHandle, options: Options): Promise<R> => {
      await guard.requireApp(node.app, options, use);
      return method(node, options);
    };
  const onNodeWith =
    <Given, Options extends CallOptions, R>(
      method: (node: NodeHandle, given: Given, options: Options) => Promise<R>,
      use: Use = 'act',
    ) =>
    async (node: NodeHandle, given: Given, options: Options): Promise<R> => {
      await guard.requireApp(node.app, options, use);
      return method(node, given, options);
    };
  const resolveLaunch: DesktopPort['resolveLaunch'] = async (request) => {
    const found = await desktop.resolveLaunch(request);
    await requireLaunchable(parts, request.app, found.command);
    return found;
  };
  return overlay<DesktopPort, (typeof FREE)[number]>(desktop, FREE, {
    openProbe: async (options) => ownProbe(await desktop.openProbe(options), guard),
    listApps: async (options) => Promise.all((await guard.apps(options)).map((app) => shownApp(guard, app))),
    listWindows: async (options) =>
      Promise.all((await guard.windows(options)).map((window) => shownWindow(guard, window))),
    requireAllowed: (pid, options) => guard.requireProcess(pid, options, 'read'),
    // A dry run does no more than this.
    resolveLaunch,
    launch: async (request) => {
      await resolveLaunch(request);
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
      return withoutDenied(await desktop.readTree(request), guard, request);
    },
    describe: onNode((node, options: CallOptions) => desktop.describe(node, options), 'read'),
    requireAction: onNodeWith(
      (...given: Parameters<DesktopPort['requireAction']>) => desktop.requireAction(...given),
      'read',
    ),
    press: onNode((...given: Parameters<DesktopPort['press']>) => desktop.press(...given)),
    setValue: onNodeWith((...given: Parameters<DesktopPort['setValue']>) => desktop.setValue(...given)),
    perform: onNodeWith((...given: Parameters<DesktopPort['perform']>) => desktop.perform(...given)),
    choose: async (container, option, options) => {
      await guard.requireApp(container.app, options);
      await guard.requireApp(option.app, options);
      return desktop.choose(container, option, options);
    },
    insertText: onNodeWith((...given: Parameters<DesktopPort['insertText']>) => desktop.insertText(...given)),
    textEditing: onNode(
      (...given: Parameters<DesktopPort['textEditing']>) => desktop.textEditing(...given),
      'read',
    ),
    changeText: onNodeWith((...given: Parameters<DesktopPort['changeText']>) => desktop.changeText(...given)),
    caret: onNode((...given: Parameters<DesktopPort['caret']>) => desktop.caret(...given), 'read'),
    placeCaret: onNodeWith((...given: Parameters<DesktopPort['placeCaret']>) => desktop.placeCaret(...given)),
    scrollIntoView: onNode((...given: Parameters<DesktopPort['scrollIntoView']>) =>
      desktop.scrollIntoView(...given),
    ),
    activationDelayMs: onNode(
      (...given: Parameters<DesktopPort['activationDelayMs']>) => desktop.activationDelayMs(...given),
      'read',
    ),
    menusAwaitOpening: onNode(
      (...given: Parameters<DesktopPort['menusAwaitOpening']>) => desktop.menusAwaitOpening(...given),
      'read',
    ),
    contentAt: async (point, options) =>
      shownContent(await desktop.contentAt(point, options), guard, options),
    watch: guardedWatch(desktop, guard),
    watchNotifications: guardedNotifications(desktop, guard),
    // The lists of a policy are the same for as long as nobody changes them.
    picturedFor: () => parts.policyNow()?.lists,
    capture: guardedCapture(desktop, guard, parts.pictureConsentNow),
    clipboard: guardedClipboard(desktop.clipboard, guard),
    ownSeat: desktop.ownSeat && guardedDesktop({ ...parts, desktop: desktop.ownSeat }),
    input: guardedInput(desktop, guard),
  });
}

/** A window of ours, with which the desktop is tried, is not denied while it is open. */
function ownProbe(probe: ProbeWindow, guard: ApplicationGuard): ProbeWindow {
  const names = [probe.windowId, probe.elements.window.app];
  for (const name of names) guard.probes.add(name);
  return new Proxy(probe, {
    get: (target, key): unknown => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => {
        if (key === 'close') for (const name of names) guard.probes.delete(name);
        return Reflect.apply(value, target, given);
      };
    },
  });
}
