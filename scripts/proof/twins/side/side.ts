import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameWatch, readFrame, sameFrame, type Frame } from './frame.ts';
import { copyHome } from './home.ts';
import { Keeper, type Ran } from './keeper.ts';
import { createFolders, DISPLAY, namespaceArguments, RUNTIME, TOOLS, type Folders } from './namespaces.ts';

export const SCREEN = { width: 1400, height: 1000 } as const;
const START_MS = 15_000;
const POLL_MS = 20;
const FRAME_POLL_MS = 60;

export interface SideOptions {
  /** Copied, so that it stays as it is. */
  readonly home: string;
  /** Files and folders of this machine that the side sees below {@link TOOLS}, by name. */
  readonly tools: Readonly<Record<string, string>>;
}

/**
 * One of two equal worlds: a display, session bus, accessibility bus and window manager in namespaces of their own, with the same paths as in
 * any other side but other files behind them.
 */
export class Side {
  readonly folders: Folders;
  private readonly root: string;
  private readonly keeper: Keeper;

  private constructor(root: string, folders: Folders, keeper: Keeper) {
    this.root = root;
    this.folders = folders;
    this.keeper = keeper;
  }

  static async start({ home, tools }: SideOptions): Promise<Side> {
    const root = mkdtempSync(join(tmpdir(), 'deskterity-twin-'));
    const folders = createFolders(root);
    copyHome(home, folders.home);
    const programs = { node: process.execPath, ...tools };
    const keeper = new Keeper('bwrap', [
      ...namespaceArguments(root, folders, programs),
      '/usr/bin/python3',
      join(TOOLS, 'twins/side/keeper.py'),
    ]);
    const side = new Side(root, folders, keeper);
    try {
      await side.startServices();
      return side;
    } catch (error) {
      await side.end();
      throw error;
    }
  }

  /** Runs a program of the side to its end. */
  async run(argv: readonly string[], timeoutMs: number): Promise<Ran> {
    return this.keeper.run(argv, timeoutMs);
  }

  /** Runs a program of the side and returns what it printed. @throws Error if it fails */
  async output(argv: readonly string[], timeoutMs: number): Promise<string> {
    return printed(argv, await this.run(argv, timeoutMs));
  }

  /** Runs one of the instrument's Python scripts, named from its folder, to its end. */
  async script(name: string, args: readonly string[], timeoutMs: number): Promise<Ran> {
    return this.keeper.script([join(TOOLS, 'twins', name), ...args], timeoutMs);
  }

  /** Runs such a script and returns what it printed. @throws Error if it fails */
  async scriptOutput(name: string, args: readonly string[], timeoutMs: number): Promise<string> {
    return printed([name, ...args], await this.script(name, args, timeoutMs));
  }

  /** Starts a program that stays. */
  async launch(argv: readonly string[], log: string): Promise<number> {
    return this.keeper.start(argv, log);
  }

  async isAlive(pid: number): Promise<boolean> {
    return this.keeper.isAlive(pid);
  }

  frame(): Frame {
    return readFrame(this.frameFile);
  }

  private get frameFile(): string {
    return join(this.folders.frame, 'Xvfb_screen0');
  }

  /** Waits until the screen has not changed for `stillMs`; at most `mostMs`. Returns when it first differed from `reference`, if it did. */
  async untilStill(
    stillMs: number,
    mostMs: number,
    reference?: Frame,
  ): Promise<{ readonly still: boolean; readonly firstChangeMs: number | undefined }> {
    const begin = performance.now();
    const watch = new FrameWatch(this.frameFile);
    let last = watch.next();
    let since = begin;
    let firstChangeMs = reference !== undefined && !sameFrame(last, reference) ? 0 : undefined;
    for (;;) {
      await sleep(FRAME_POLL_MS);
      const now = performance.now();
      const next = watch.next();
      if (!sameFrame(last, next)) {
        since = now;
        if (firstChangeMs === undefined && reference !== undefined && !sameFrame(next, reference))
          firstChangeMs = now - begin;
      }
      last = next;
      if (now - since >= stillMs) return { still: true, firstChangeMs };
      if (now - begin >= mostMs) return { still: false, firstChangeMs };
    }
  }

  /** Ends all its processes and removes its folders. */
  async end(): Promise<void> {
    await this.keeper.end();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  private async startServices(): Promise<void> {
    const screen = `${SCREEN.width}x${SCREEN.height}x24`;
    // Without -noreset the display begins anew when its last client leaves; a drawn pointer would be in every picture.
    const server = `Xvfb ${DISPLAY} -screen 0 ${screen} -fbdir /run/frame -noreset -nocursor -nolisten tcp -s 0 -dpi 96`;
    const bus = `dbus-daemon --session --nofork --nopidfile --address=unix:path=${RUNTIME}/bus`;
    await this.launch(bus.split(' '), 'bus.log');
    await this.launch(server.split(' '), 'display.log');
    await until('the display', () => existsSync(join(this.folders.temporary, '.X11-unix/X1')));
    await until('the session bus', () => existsSync(join(this.folders.runtime, 'bus')));
    writeFileSync(join(this.folders.runtime, 'openbox.xml'), OPENBOX);
    const ready = join(RUNTIME, 'window-manager-ready');
    const windowManager = ['openbox', '--sm-disable', '--config-file', join(RUNTIME, 'openbox.xml')];
    await this.launch([...windowManager, '--startup', `touch ${ready}`], 'window-manager.log');
    await this.switchAccessibilityOn();
    await until('the window manager', () => existsSync(join(this.folders.runtime, 'window-manager-ready')));
  }

  private async switchAccessibilityOn(): Promise<void> {
    const send = 'dbus-send --session --print-reply=literal --reply-timeout=10000 --dest=';
    // Its socket exists a moment before the bus accepts connections.
    const isListening = async (): Promise<boolean> =>
      (await this.run(`${send}org.freedesktop.DBus / org.freedesktop.DBus.GetId`.split(' '), START_MS))
        .code === 0;
    await until('the session bus', isListening);
    const status = `${send}org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set string:org.a11y.Status`;
    for (const name of ['IsEnabled', 'ScreenReaderEnabled'])
      await this.output([...status.split(' '), `string:${name}`, 'variant:boolean:true'], START_MS);
    await this.output(`${send}org.a11y.Bus /org/a11y/bus org.a11y.Bus.GetAddress`.split(' '), START_MS);
  }
}

function printed(argv: readonly string[], { code, stdout, stderr }: Ran): string {
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr.slice(-500)}`);
  return stdout;
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + START_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what} did not start within ${START_MS} ms`);
    await sleep(POLL_MS);
  }
}

/** The usual behaviour of windows, without key bindings, menus and animations; new windows get the focus and a place that is always the same. */
const OPENBOX = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><focusLast>yes</focusLast><raiseOnFocus>no</raiseOnFocus></focus>
  <placement><policy>Smart</policy><center>yes</center><monitor>Primary</monitor></placement>
  <theme><name>Clearlooks</name><titleLayout>NLIMC</titleLayout><animateIconify>no</animateIconify></theme>
  <desktops><number>1</number><firstdesk>1</firstdesk><popupTime>0</popupTime></desktops>
  <resize><drawContents>yes</drawContents><popupShow>Never</popupShow></resize>
  <keyboard/>
  <mouse>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
  </mouse>
  <menu/>
</openbox_config>
`;
