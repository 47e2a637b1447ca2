import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowEveryCall } from '../../fixtures/unlimited-calls.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { X11Connection } from '../../src/platform/linux/display/x11/connection.ts';
import { ServerClock } from '../../src/platform/linux/display/x11/server-clock.ts';
import { X11Wire } from '../../src/platform/linux/display/x11/wire.ts';
import type { DesktopWindow, LaunchedApp } from '../../src/ports/desktop/windows.ts';
import { CannotMeasure, type Say } from './figures.ts';
import type { Opening } from './subjects.ts';

const START_MS = 60_000;
const CALL_MS = 20_000;
const SETTLE_POLL_MS = 400;
/** From the appearance of the title to a loaded page. */
const LOAD_MS = 3000;
/** A tree that has not grown for this many reads is complete. */
const SETTLED_LOOKS = 3;

/** A subject with its window open and its tree complete. */
export interface OpenSubject {
  readonly window: DesktopWindow;
  readonly root: { readonly app: string; readonly path: string };
  readonly pid: number;
  close(): Promise<void>;
}

/** A private desktop on which subjects are opened, one after the other. */
export class Stage {
  readonly desktop: PrivateDesktop;
  readonly folder: string;
  private readonly say: Say;

  private constructor(desktop: PrivateDesktop, folder: string, say: Say) {
    this.desktop = desktop;
    this.folder = folder;
    this.say = say;
  }

  static async start(say: Say): Promise<Stage> {
    const desktop = await PrivateDesktop.start({ deadlineMs: START_MS });
    allowEveryCall(desktop.home);
    return new Stage(desktop, await mkdtemp(path.join(tmpdir(), 'deskterity-bench-')), say);
  }

  /** A desktop without any connection yet. */
  freshDesktop(): LinuxDesktop {
    return new LinuxDesktop(this.desktop.environment);
  }

  async open(subject: Opening): Promise<OpenSubject> {
    this.say(`${subject.name}: starting`);
    const desktop = this.freshDesktop();
    try {
      const app = await this.launch(desktop, subject);
      const window = await this.windowOf(desktop, subject, app);
      const { root } = window;
      if (!root)
        throw new CannotMeasure(`${subject.name} shows no tree: ${window.reason ?? 'no reason given'}`);
      await this.untilBuilt(desktop, subject, root);
      return { window, root, pid: window.pid, close: () => this.close(app, window.pid) };
    } finally {
      await desktop.close();
    }
  }

  /** The root of the window with this title, as soon as it is shown. */
  async rootOf(desktop: LinuxDesktop, title: string): Promise<OpenSubject['root']> {
    const end = performance.now() + START_MS;
    while (performance.now() < end) {
      const windows = await desktop.listWindows({ deadlineMs: CALL_MS });
      const root = windows.find((window) => window.title === title)?.root;
      if (root) return root;
      await sleep(SETTLE_POLL_MS);
    }
    throw new CannotMeasure(`${title} opened no window within ${START_MS} ms.`);
  }

  /** @throws if reading has ended the application. */
  async mustLive(subject: Opening, open: OpenSubject): Promise<void> {
    const desktop = this.freshDesktop();
    try {
      const windows = await desktop.listWindows({ deadlineMs: CALL_MS });
      if (windows.some((window) => window.id === open.window.id)) return;
      throw new Error(`${subject.name} did not survive being read.`);
    } finally {
      await desktop.close();
    }
  }

  async stop(): Promise<void> {
    await this.desktop.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async launch(desktop: LinuxDesktop, subject: Opening): Promise<LaunchedApp> {
    const args = (await subject.prepare?.(this.folder)) ?? [];
    try {
      const request = { app: subject.program, args, cwd: this.folder, deadlineMs: START_MS };
      return await desktop.launch(request);
    } catch (error) {
      if (!(error instanceof DeskterityError) || error.code !== 'APP_NOT_FOUND') throw error;
      throw new CannotMeasure(
        `${subject.program} is missing. Install it: apt-get install ${subject.packageName}`,
      );
    }
  }

  /**
   * First waits for the title on the X server: a browser that receives calls over the accessibility bus before its page has loaded never puts
   * the page into its bulk cache, neither for us nor for pyatspi.
   */
  private async windowOf(desktop: LinuxDesktop, subject: Opening, app: LaunchedApp): Promise<DesktopWindow> {
    const end = performance.now() + START_MS;
    const display = { deadlineMs: CALL_MS, xauthority: this.desktop.environment['XAUTHORITY'] };
    const x11 = new X11Connection(await X11Wire.connect(this.desktop.display, display), new ServerClock());
    let reason = '';
    try {
      while (performance.now() < end) {
        const shown = await x11.windows.list({ deadlineMs: CALL_MS });
        reason = `the display shows ${shown.map(({ title }) => JSON.stringify(title)).join(', ') || 'nothing'}`;
        if (shown.some((window) => subject.title.test(window.title))) break;
        await sleep(SETTLE_POLL_MS);
      }
    } finally {
      x11.close();
    }
    await sleep(LOAD_MS);
    while (performance.now() < end) {
      const windows = await desktop.listWindows({ deadlineMs: CALL_MS });
      const found = windows.find((window) => subject.title.test(window.title));
      if (found?.root) return found;
      reason = found?.reason ?? 'there is none with its title';
      await sleep(SETTLE_POLL_MS);
    }
    throw new CannotMeasure(
      `${subject.name} (pid ${app.pid}) showed no window with a tree within ${START_MS} ms: ${reason}`,
    );
  }

  private async untilBuilt(
    desktop: LinuxDesktop,
    subject: Opening,
    root: { readonly app: string; readonly path: string },
  ): Promise<void> {
    const end = performance.now() + START_MS;
    let last = 0;
    let looks = 0;
    while (performance.now() < end) {
      const { nodeCount } = await desktop.readTree({
        root,
        wholeTree: true,
        maxNodes: 100_000,
        includeActions: false,
        deadlineMs: CALL_MS,
      });
      looks = nodeCount === last && nodeCount >= subject.atLeastNodes ? looks + 1 : 0;
      if (looks >= SETTLED_LOOKS) return;
      last = nodeCount;
      await sleep(SETTLE_POLL_MS);
    }
    throw new CannotMeasure(
      `${subject.name} shows ${last} elements; at least ${subject.atLeastNodes} were expected.`,
    );
  }

  private async close(app: LaunchedApp, pid: number): Promise<void> {
    const desktop = this.freshDesktop();
    try {
      for (const each of new Set([pid, app.pid]))
        await desktop.closeApp(each, { deadlineMs: CALL_MS, force: true }).catch(() => undefined);
    } finally {
      await desktop.close();
    }
  }
}
