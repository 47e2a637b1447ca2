import { DeskterityError } from '../model/effects/errors.ts';
import { mentionParameter } from '../model/text/mention.ts';
import { once } from '../model/once.ts';
import { liveDeadline } from '../model/live-deadline.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { CallOptions } from '../ports/call-options.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { Actor } from './acting/act.ts';
import { clearClipboard, writeClipboard } from './acting/clipboard.ts';
import { invokeMenu } from './acting/menus/menu.ts';
import { examine } from './doctor/doctor.ts';
import { sealedDesktop } from './dry-run/sealed-desktop.ts';
import { ElementActs } from './element-acts.ts';
import type { Engine } from './engine.ts';
import { drag } from './input/drag.ts';
import { holdKey, pressKeys } from './input/keys.ts';
import { clickMouse, holdMouseButton, moveMouse, turnWheel } from './input/mouse.ts';
import { scroll, scrollTo } from './input/scroll.ts';
import { DesktopJournal } from './journal/desktop-journal.ts';
import { watchJournal } from './journal/watch-journal.ts';
import { CursorMarks } from './reading/cursor-marks.ts';
import { readJournal } from './reading/read-journal.ts';
import { changesSince } from './reading/changes-since.ts';
import { find } from './reading/find.ts';
import { describeElement, focusedElement, treeStats } from './reading/inspect.ts';
import { snapshot } from './reading/observe.ts';
import { guardPasswords } from './redaction/guard-passwords.ts';
import { Readings } from './reading/readings.ts';
import { listSurfaces } from './reading/surfaces.ts';
import { RecentPictures } from './reading/recent-pictures.ts';
import { takeScreenshot } from './reading/screenshot.ts';
import { Connections } from './refs/connections.ts';
import { LocatorResolver } from './refs/locate.ts';
import { LocatorMemory } from './refs/locate/memory.ts';
import { TargetResolver } from './refs/resolve.ts';
import { ScopeResolver } from './refs/scope.ts';
import { Session } from './refs/session.ts';
import { waitForElement, waitForText, waitUntilGone } from './waiting/conditions.ts';
import { waitUntilActing } from './waiting/acting.ts';
import { waitUntilActionable } from './waiting/actionable.ts';
import { waitForCount } from './waiting/count.ts';
import { waitUntilIdle } from './waiting/idle.ts';
import { waitForMenu } from './waiting/menu.ts';
import { waitForNotification } from './waiting/notification.ts';
import { expectElement, expectElements } from './waiting/expect.ts';
import { watchDesktop } from './waiting/watch.ts';
import { reverse } from './undo/reverse.ts';
import { changingClipboard } from './undo/reverse-clipboard.ts';
import { connectApp, disconnectApps } from './windows/connect.ts';
import { closeApp, listApps, listWindows } from './windows/applications.ts';
import { launchApp } from './windows/launch.ts';
import { waitForWindow } from './windows/wait-for-window.ts';
import { controlWindow } from './windows/windows.ts';

const CONNECT_DEADLINE_MS = 5000;
let engines = 0;

/** Builds the engine of one session on one desktop. @throws DeskterityError when the desktop cannot be reached */
export async function createEngine(parts: {
  readonly desktop: DesktopPort;
  readonly session: SessionStore;
  readonly clock: ClockPort;
  /** Names this engine to others while it holds keyboard and pointer. */
  readonly sessionName?: string | undefined;
  /** Whether what happens on the desktop is recorded for {@link Engine.journal}: only in a process that outlives its calls. */
  readonly keepsJournal?: boolean | undefined;
}): Promise<Engine> {
  const { clock, sessionName = 'unnamed' } = parts;
  const desktop = guardPasswords(parts.desktop);
  // Refs belong to one generation of one desktop; permissions and launches must work even if no desktop can be reached.
  const desktopId = await desktop.desktopId({ deadlineMs: CONNECT_DEADLINE_MS }).catch(() => undefined);
  const kept = parts.keepsJournal === true && desktop.screen === undefined && desktopId !== undefined;
  const journal = kept ? DesktopJournal.open({ desktop, clock }) : undefined;
  const marks = journal && new CursorMarks(journal, sessionName);
  const session = new Session(
    parts.session,
    desktop.screen === undefined
      ? { desktopId: desktopId ?? 'unreachable' }
      : { screenId: desktop.screen.id },
    (cursor) => marks?.note(cursor),
  );
  // Sessions of different state folders may have the same name.
  const holder = `${sessionName} (${++engines})`;
  const common = { desktopId: desktopId ?? 'unreachable', store: parts.session, session, clock };
  const known = { ...common, journal, marks, holder, sessionName };
  return engineOf({ ...known, pictured: desktop }, { desktop, isDryRun: false, isOwnSeat: false });
}

/** An engine with those beside it: the one without effects, and the one with another seat. */
function engineOf(basis: Omit<EngineBasis, keyof EngineKind>, kind: EngineKind): Engine {
  const { desktop } = kind;
  const dryRun = once(() => engineOf(basis, { ...kind, isDryRun: true }));
  const ownSeat = once(() => {
    if (desktop.ownSeat === undefined) return undefined;
    return engineOf(basis, { ...kind, desktop: desktop.ownSeat, isOwnSeat: true });
  });
  const worked = kind.isDryRun ? sealedDesktop(desktop) : desktop;
  const engine: Engine = {
    ...engineOver({ ...basis, ...kind, desktop: worked }),
    dryRun: () => (kind.isDryRun ? engine : dryRun()),
    onOwnSeat: ({ isRequired }) => {
      const other = kind.isOwnSeat ? engine : ownSeat();
      if (other === undefined && isRequired) throw noOwnSeat();
      return other ?? engine;
    },
    heldOn: () => {
      const own = desktop.ownSeat?.input.heldBy?.(basis.holder) ?? [];
      if (own.length > 0) return { seat: 'own', held: own };
      const held = desktop.input.heldBy?.(basis.holder) ?? [];
      return held.length > 0 ? { seat: 'shared', held } : undefined;
    },
    releaseInput: async () => {
      await Promise.all([
        desktop.input.release(basis.holder),
        desktop.ownSeat?.input.release(basis.holder) ?? Promise.resolve([]),
      ]);
    },
  };
  return engine;
}

function noOwnSeat(): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    'This desktop cannot have a keyboard and a pointer besides those of the user.',
    {
      suggestion: `Use the user's: ${mentionParameter('seat', 'shared')}. Accessibility needs none: ${mentionParameter('mode', 'background')}.`,
      delivered: false,
    },
  );
}

/** Which of the engines of a session it is. */
interface EngineKind {
  readonly desktop: DesktopPort;
  readonly isDryRun: boolean;
  readonly isOwnSeat: boolean;
}

interface EngineBasis extends EngineKind {
  /** Whose pictures are remembered: those that an act on any seat makes outdated. */
  readonly pictured: DesktopPort;
  readonly desktopId: string;
  readonly store: SessionStore;
  readonly session: Session;
  readonly clock: ClockPort;
  readonly journal: DesktopJournal | undefined;
  readonly marks: CursorMarks | undefined;
  readonly holder: string;
  readonly sessionName: string;
}

function engineOver(basis: EngineBasis): Omit<Engine, 'dryRun' | 'onOwnSeat' | 'heldOn' | 'releaseInput'> {
  const { desktop, desktopId, store, session, clock, journal, marks, holder, sessionName } = basis;
  const { isDryRun, isOwnSeat } = basis;
  const connections = new Connections(store, desktopId);
  const scope = new ScopeResolver(desktop, session, connections);
  const readings = new Readings(store, desktopId);
  const memory = new LocatorMemory(store, desktopId);
  const locators = new LocatorResolver({ desktop, clock, session, scope, readings, memory });
  const resolver = new TargetResolver(desktop, session, locators);
  const common = { desktop, clock, session, scope, resolver, readings, connections, isDryRun, isOwnSeat };
  const all = { ...common, holder, actor: new Actor(common) };
  const elements = new ElementActs(all);

  const pictures = RecentPictures.of(isDryRun ? desktop : basis.pictured);
  const fresh = <R, T>(run: (request: R) => Promise<T>) => pictures.freshAfter(run);
  const live = <T extends CallOptions>(request: T): T => liveDeadline(request, clock);

  return {
    listApps: (request) => listApps(all, live(request)),
    listWindows: (request) => listWindows(all, live(request)),
    surfaces: fresh((request) => listSurfaces(all, live(request))),
    snapshot: fresh((request) => snapshot(all, live(request))),
    changes: fresh((request) => changesSince(all, live(request))),
    find: fresh((request) => find(all, live(request))),
    describe: fresh((request) => describeElement(all, live(request))),
    title: async (request) => (await scope.window(request, live(request))).title,
    treeStats: (request) => treeStats(all, live(request)),
    focused: fresh((request) => focusedElement(all, live(request))),
    screenshot: (request) => takeScreenshot(all, live(request)),
    launch: fresh((request) => launchApp(all, request)),
    closeApp: fresh((request) => closeApp(all, live(request))),
    connect: (request) => connectApp(all, live(request)),
    disconnect: (request) => disconnectApps(all, request),
    waitForElement: fresh((request) => waitForElement(all, request)),
    waitUntilGone: fresh((request) => waitUntilGone(all, request)),
    waitForText: fresh((request) => waitForText(all, request)),
    waitForWindow: fresh((request) => waitForWindow(all, request)),
    waitUntilActionable: fresh((request) => waitUntilActionable(all, request)),
    waitForCount: fresh((request) => waitForCount(all, request)),
    waitForNotification: fresh((request) => waitForNotification(all, request)),
    waitUntilIdle: fresh((request) => waitUntilIdle(all, request)),
    waitForMenu: fresh((request) => waitForMenu(all, request)),
    expect: fresh((request) => expectElement(all, request)),
    expectAll: fresh((request) => expectElements(all, request)),
    controlWindow: fresh((request) => controlWindow(all, request)),
    click: fresh((request) => elements.click(request)),
    gesture: fresh((request) => elements.gesture(request)),
    setValue: fresh((request) => elements.setValue(request)),
    type: fresh((request) => elements.type(request)),
    act: fresh((request) => elements.act(request)),
    select: fresh((request) => elements.select(request)),
    menu: fresh((request) => invokeMenu(all, live(request))),
    press: fresh((request) => pressKeys(all, request)),
    holdKey: fresh((request) => holdKey(all, request)),
    mouse: {
      move: fresh((request) => moveMouse(all, request)),
      click: fresh((request) => clickMouse(all, request)),
      hold: fresh((request) => holdMouseButton(all, request)),
      wheel: fresh((request) => turnWheel(all, request)),
    },
    scroll: fresh((request) => scroll(all, request)),
    scrollTo: fresh((request) => scrollTo(all, request)),
    drag: fresh((request) => drag(all, request)),
    reportsUserInput: (request) => desktop.input.reportsUserInput(live(request)),
    stopState: (request) => desktop.stopSwitch.state(live(request)),
    stopActing: (request) => desktop.stopSwitch.stop(sessionName, live(request)),
    resumeActing: (request) => desktop.stopSwitch.resume(live(request)),
    onStop: (listener) => desktop.stopSwitch.onStop(listener),
    waitUntilActing: fresh((request) => waitUntilActing(all, request)),
    clipboardFormats: (request) => desktop.clipboard.formats(request),
    readClipboard: (request) => desktop.clipboard.read(request.kind, request),
    writeClipboard: fresh((request) =>
      changingClipboard(desktop.clipboard, live(request), () =>
        writeClipboard(desktop.clipboard, live(request)),
      ),
    ),
    clearClipboard: fresh((request) =>
      changingClipboard(desktop.clipboard, live(request), () =>
        clearClipboard(desktop.clipboard, live(request)),
      ),
    ),
    reverse: fresh((request) => reverse({ ...all, elements }, request)),
    watch: (request, listener) =>
      request.journal === true && journal !== undefined
        ? watchJournal(journal, listener)
        : watchDesktop(all, request, listener),
    journal: async (request) =>
      journal === undefined || marks === undefined
        ? undefined
        : readJournal({ ...all, journal, marks }, live(request)),
    noteAct: (command, fromMs, toMs) => journal?.acts.note({ session: sessionName, command, fromMs, toMs }),
    status: async (request) => ({
      ...(await desktop.status(live(request))),
      capabilities: desktop.capabilities,
    }),
    permissions: (request) => desktop.permissions(live(request)),
    doctor: (request) => examine(all, request),
  };
}
