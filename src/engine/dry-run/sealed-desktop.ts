import { Planned } from '../../model/effects/planned.ts';
import { overlay } from '../../model/overlay.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { ActCall, HandAct } from '../../ports/desktop/acts.ts';
import type { ClipboardPort } from '../../ports/clipboard.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { WindowRequest } from '../../ports/desktop/windows.ts';
import type { InputPort, StopSwitchPort } from '../../ports/input.ts';
import type { NodeHandle } from '../../model/tree/node.ts';

const BY_ACCESSIBILITY = { via: 'accessibility' } as const;
const BY_DISPLAY = { via: 'display' } as const;
const LONGEST_NAME = 120;

/** Methods that only read, or whose effect nobody but this process sees. */
const READING = [
  'capabilities',
  'screen',
  'desktopId',
  'status',
  'machineChecks',
  'listApps',
  'processOf',
  'requireAllowed',
  'listWindows',
  'listPopups',
  'resolveLaunch',
  'isProcessAlive',
  'startedLately',
  'userTimeMs',
  'readTree',
  'describe',
  'requireAction',
  'textEditing',
  'caret',
  'contentAt',
  'activationDelayMs',
  'menusAwaitOpening',
  'watch',
  'watchNotifications',
  'capture',
  'picturedFor',
  'watchPicture',
] as const satisfies readonly (keyof DesktopPort)[];

/**
 * A desktop on which nothing can be done: whatever would have an effect throws {@link Planned} instead. An act is checked as far as that is possible
 * without an effect, so that it fails here with the error that it would fail with.
 */
export function sealedDesktop(desktop: DesktopPort): DesktopPort {
  const checked = async (node: NodeHandle, act: HandAct, options: ActCall): Promise<never> => {
    await desktop.requireAction(node, act, options);
    throw new Planned('', BY_ACCESSIBILITY);
  };
  return overlay<DesktopPort, (typeof READING)[number]>(desktop, READING, {
    permissions: (options) => desktop.permissions({ ...options, request: false }),
    openProbe: planned('show a window for trials', BY_DISPLAY),
    launch: async (request) => {
      const { command } = await desktop.resolveLaunch(request);
      throw new Planned(`run ${command.join(' ')}`, BY_DISPLAY);
    },
    closeApp: async (pid, options) => {
      const app = (await desktop.listApps(options)).find((one) => one.pid === pid);
      const target = app && { role: 'application', name: clip(app.name, LONGEST_NAME) };
      const step = options.force ? `kill the process ${pid}` : `ask the process ${pid} to quit`;
      throw new Planned(step, { target, ...BY_DISPLAY });
    },
    controlWindow: async (windowId, request, options) => {
      const window = (await desktop.listWindows(options)).find(({ id }) => id === windowId);
      const target = window && { role: 'window', name: clip(window.title, LONGEST_NAME) };
      throw new Planned(inWords(request), { target, ...BY_DISPLAY });
    },
    press: (node, options) => checked(node, 'click', options),
    perform: (node, act, options) =>
      act === 'focus'
        ? planned('give it the keyboard focus', BY_ACCESSIBILITY)()
        : checked(node, act, options),
    setValue: planned('', BY_ACCESSIBILITY),
    choose: planned('', BY_ACCESSIBILITY),
    insertText: planned('', BY_ACCESSIBILITY),
    changeText: planned('', BY_ACCESSIBILITY),
    placeCaret: planned('place the caret', BY_ACCESSIBILITY),
    scrollIntoView: planned('scroll it into view first', BY_ACCESSIBILITY),
    // Nothing is done that others would have to wait for.
    takeTurn: async () => ({ waited: false, end: () => undefined }),
    clipboard: sealedClipboard(desktop.clipboard),
    input: sealedInput(desktop.input),
    stopSwitch: sealedStopSwitch(desktop.stopSwitch),
    // It belongs to the desktop that is sealed.
    close: async () => undefined,
  });
}

function sealedClipboard(clipboard: ClipboardPort): ClipboardPort {
  return overlay<ClipboardPort, 'isOwned' | 'ownerPid' | 'formats' | 'read' | 'watch'>(
    clipboard,
    ['isOwned', 'ownerPid', 'formats', 'read', 'watch'],
    {
      write: async ({ content }) => {
        const what =
          content.kind === 'text' ? `${content.text.length} characters` : `${content.png.length} bytes`;
        throw new Planned(`write ${what} to the clipboard`, BY_DISPLAY);
      },
      clear: planned('clear the clipboard', BY_DISPLAY),
    },
  );
}

function sealedInput(input: InputPort): InputPort {
  return overlay<InputPort, 'pointer' | 'reportsUserInput' | 'watchUser' | 'heldBy'>(
    input,
    ['pointer', 'reportsUserInput', 'watchUser', 'heldBy'],
    { take: planned('', {}), release: async () => [] },
  );
}

function sealedStopSwitch(stopSwitch: StopSwitchPort): StopSwitchPort {
  return overlay<StopSwitchPort, 'state' | 'onChange' | 'onStop' | 'hotKey'>(
    stopSwitch,
    ['state', 'onChange', 'onStop', 'hotKey'],
    {
      stop: planned('stop all acting on this desktop', BY_DISPLAY),
      resume: planned('allow acting on this desktop again', BY_DISPLAY),
      takeOver: planned('give this desktop to a person', BY_DISPLAY),
      handBack: planned('take this desktop back from the person', BY_DISPLAY),
    },
  );
}

function planned(step: string, how: { readonly via?: string }): () => Promise<never> {
  return () => Promise.reject(new Planned(step, how));
}

function inWords(request: WindowRequest): string {
  switch (request.kind) {
    case 'move':
      return `move the window to ${request.x},${request.y}`;
    case 'resize':
      return `give the window the size ${request.width}x${request.height}`;
    case 'focus':
      return 'bring the window to the front';
    default:
      return `${request.kind} the window`;
  }
}
