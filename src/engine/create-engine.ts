import { liveDeadline } from '../model/live-deadline.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions, DesktopPort } from '../ports/desktop.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { Actor } from './acting/act.ts';
import { clearClipboard, writeClipboard } from './acting/clipboard.ts';
import { invokeMenu } from './acting/menu.ts';
import { examine } from './doctor/doctor.ts';
import { ElementActs } from './element-acts.ts';
import type { Engine } from './engine.ts';
import { Dragger } from './input/drag.ts';
import { Keys } from './input/keys.ts';
import { Mouse } from './input/mouse.ts';
import { Scroller } from './input/scroll.ts';
import { ChangeReporter } from './reading/changes-since.ts';
import { find } from './reading/find.ts';
import { describeElement, focusedElement, treeStats } from './reading/inspect.ts';
import { Observer } from './reading/observe.ts';
import { Readings } from './reading/readings.ts';
import { Screenshots } from './reading/screenshots.ts';
import { LocatorResolver } from './refs/locate.ts';
import { LocatorMemory } from './refs/locate/memory.ts';
import { TargetResolver } from './refs/resolve.ts';
import { ScopeResolver } from './refs/scope.ts';
import { Session } from './refs/session.ts';
import { waitForElement, waitForText, waitUntilGone } from './waiting/conditions.ts';
import { expectElement } from './waiting/expect.ts';
import { watchDesktop } from './waiting/watch.ts';
import { Applications } from './windows/applications.ts';
import { WindowController } from './windows/windows.ts';

const CONNECT_DEADLINE_MS = 5000;
let engines = 0;

/** Builds the engine of one session on one desktop. @throws DeskterityError when the desktop cannot be reached */
export async function createEngine(parts: {
  readonly desktop: DesktopPort;
  readonly session: SessionStore;
  readonly clock: ClockPort;
  /** Who has keyboard and pointer while this engine uses them, in words. */
  readonly sessionName?: string | undefined;
}): Promise<Engine> {
  const { desktop, clock } = parts;
  // Refs belong to one generation of one desktop; permissions and launches must work where none can be reached.
  const desktopId = await desktop.desktopId({ deadlineMs: CONNECT_DEADLINE_MS }).catch(() => undefined);
  const session = new Session(
    parts.session,
    desktop.screen === undefined
      ? { desktopId: desktopId ?? 'unreachable' }
      : { screenId: desktop.screen.id },
  );
  const scope = new ScopeResolver(desktop, session);
  const readings = new Readings(parts.session, desktopId ?? 'unreachable');
  const memory = new LocatorMemory(parts.session, desktopId ?? 'unreachable');
  const locators = new LocatorResolver({ desktop, clock, session, scope, readings, memory });
  const resolver = new TargetResolver(desktop, session, locators);
  const observer = new Observer({ desktop, session, scope, resolver, readings });
  const changes = new ChangeReporter({ desktop, session, scope, observer, readings });
  const screenshots = new Screenshots({ desktop, session, scope, resolver, observer });
  const applications = new Applications({ desktop, session, scope, clock });
  const windows = new WindowController({ desktop, session, readings, scope, clock });
  const actor = new Actor({ desktop, session, readings, resolver, clock });
  const { sessionName = 'unnamed' } = parts;
  // Sessions of several state folders may bear the same name.
  const holder = `${sessionName} (${++engines})`;
  const input = { desktop, clock, holder, actor, resolver, scope, session };
  const elements = new ElementActs(input);
  const keys = new Keys(input);
  const scroller = new Scroller(input);
  const dragger = new Dragger(input);
  const waiting = { desktop, clock, session, resolver, readings, scope };

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
    screenshot: (request) => screenshots.take(live(request)),
    launch: (request) => applications.launch(request),
    closeApp: (request) => applications.close(live(request)),
    waitForElement: (request) => waitForElement(waiting, request),
    waitUntilGone: (request) => waitUntilGone(waiting, request),
    waitForText: (request) => waitForText(waiting, request),
    waitForWindow: (request) => applications.waitForWindow(request),
    expect: (request) => expectElement(waiting, request),
    controlWindow: (request) => windows.control(request),
    click: (request) => elements.click(request),
    gesture: (request) => elements.gesture(request),
    setValue: (request) => elements.setValue(request),
    type: (request) => elements.type(request),
    act: (request) => elements.act(request),
    select: (request) => elements.select(request),
    menu: (request) => invokeMenu({ desktop, session, observer, clock, actor }, live(request)),
    press: (request) => keys.press(request),
    holdKey: (request) => keys.hold(request),
    mouse: new Mouse(input),
    scroll: (request) => scroller.scroll(request),
    scrollTo: (request) => scroller.scrollTo(request),
    drag: (request) => dragger.drag(request),
    releaseInput: async () => {
      await desktop.input.release(holder);
    },
    seesUser: (request) => desktop.input.seesUser(live(request)),
    stopState: (request) => desktop.stopSwitch.state(live(request)),
    stopActing: (request) => desktop.stopSwitch.stop(sessionName, live(request)),
    resumeActing: (request) => desktop.stopSwitch.resume(live(request)),
    onStop: (listener) => desktop.stopSwitch.onStop(listener),
    clipboardFormats: (request) => desktop.clipboard.formats(request),
    readClipboard: (request) => desktop.clipboard.read(request.kind, request),
    writeClipboard: (request) => writeClipboard(desktop.clipboard, live(request)),
    clearClipboard: (request) => clearClipboard(desktop.clipboard, live(request)),
    watch: (request, listener) => watchDesktop({ desktop, clock }, request, listener),
    status: async (request) => ({
      ...(await desktop.status(live(request))),
      capabilities: desktop.capabilities,
    }),
    permissions: (request) => desktop.permissions(live(request)),
    doctor: (request) => examine({ desktop, clock }, request),
  };
}
