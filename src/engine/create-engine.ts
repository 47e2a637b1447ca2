import { DeskterityError } from '../model/errors.ts';
import { liveDeadline } from '../model/live-deadline.ts';
import type { OutputNode } from '../model/node.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions, DesktopPort } from '../ports/desktop.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { Actor } from './act.ts';
import { Applications } from './applications.ts';
import { ChangeTeller } from './changes-since.ts';
import type { Engine } from './engine.ts';
import { find } from './find/find.ts';
import { describeElement, focusedElement, treeStats } from './inspect.ts';
import { Observer } from './observe.ts';
import { Readings } from './readings.ts';
import { TargetResolver } from './resolve.ts';
import { Photographer } from './screenshot.ts';
import { ScopeResolver } from './scope.ts';
import { Session } from './session.ts';
import { waitFor } from './wait.ts';
import { watchDesktop } from './watch.ts';

const CONNECT_DEADLINE_MS = 5000;

/** Builds the engine of one session on one desktop. @throws DeskterityError when the desktop cannot be reached */
export async function createEngine(parts: {
  readonly desktop: DesktopPort;
  readonly session: SessionStore;
  readonly clock: ClockPort;
}): Promise<Engine> {
  const { desktop, clock } = parts;
  // Refs belong to one generation of one desktop; permissions and launches must work where none can be reached.
  const desktopId = await desktop.desktopId({ deadlineMs: CONNECT_DEADLINE_MS }).catch(() => undefined);
  const session = new Session(parts.session, desktopId ?? 'unreachable');
  const resolver = new TargetResolver(desktop, session);
  const scope = new ScopeResolver(desktop, session);
  const readings = new Readings(parts.session, desktopId ?? 'unreachable');
  const observer = new Observer({ desktop, session, scope, resolver, readings });
  const changes = new ChangeTeller({ desktop, session, scope, observer, readings });
  const photographer = new Photographer({ desktop, session, scope, resolver, observer });
  const applications = new Applications({ desktop, session, scope, clock });
  const actor = new Actor({ desktop, session, readings, resolver, clock });

  const live = <T extends CallOptions>(request: T): T => liveDeadline(request, () => clock.now());

  return {
    listApps: (request) => applications.listApps(live(request)),
    listWindows: (request) => applications.listWindows(live(request)),
    snapshot: (request) => observer.snapshot(live(request)),
    changes: (request) => changes.since(live(request)),
    find: (request) => find(observer, session, live(request)),
    describe: (request) => describeElement({ desktop, resolver }, live(request)),
    title: async (request) => (await scope.window(request, live(request))).title,
    treeStats: (request) => treeStats(observer, live(request)),
    focused: (request) => focusedElement(observer, resolver, session, live(request)),
    screenshot: (request) => photographer.take(live(request)),
    launch: (request) => applications.launch(request),
    closeApp: (request) => applications.close(live(request)),
    waitForElement: (request) => waitForElement({ desktop, clock, resolver }, request),
    waitForWindow: (request) => applications.waitForWindow(request),
    click: (request) => actor.click(request),
    setValue: (request) => actor.setValue(request),
    act: (request) => actor.act(request),
    watch: (request, listener) => watchDesktop({ desktop, clock }, request, listener),
    status: async (request) => ({
      ...(await desktop.status(live(request))),
      capabilities: desktop.capabilities,
    }),
    permissions: (request) => desktop.permissions(live(request)),
  };
}

/** Waits until a ref's element is there and visible. A ref that was never given out cannot come true and fails at once. */
async function waitForElement(
  parts: { readonly desktop: DesktopPort; readonly clock: ClockPort; readonly resolver: TargetResolver },
  request: CallOptions & { readonly element: string },
): Promise<OutputNode> {
  let seen = '';
  return waitFor(
    parts,
    { ...request, what: `${request.element} becoming visible`, lastSeen: () => seen },
    async (deadlineMs) => {
      try {
        const info = await describeElement(parts, {
          ref: request.element,
          deadlineMs,
          signal: request.signal,
        });
        seen = `${info.node.role} ${info.allStates.join(' ')}`.trim();
        return info.onScreen ? info.node : undefined;
      } catch (error) {
        if (!(error instanceof DeskterityError) || !PASSING.has(error.code)) throw error;
        seen = error.message;
        return undefined;
      }
    },
  );
}

/** Failures that time may heal. */
const PASSING: ReadonlySet<string> = new Set(['STALE_REF', 'APP_UNRESPONSIVE', 'AMBIGUOUS_TARGET']);
