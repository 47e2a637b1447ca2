import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import type { BusConnection, MethodCallMessage } from '../../../src/platform/linux/dbus/index.ts';
import { PATIENT } from '../dbus/support/private-bus.ts';

const DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

class Signal {
  readonly listeners: ((...values: unknown[]) => void)[] = [];

  connect(listener: (...values: unknown[]) => void): void {
    this.listeners.push(listener);
  }

  emit(...values: unknown[]): void {
    for (const listener of this.listeners) listener(...values);
  }
}

/** A window as scripts of KWin 5 see it, with what they did to it. */
export class FakeKwinWindow {
  readonly done: string[] = [];
  readonly captionChanged = new Signal();
  internalId = '{11111111-2222-3333-4444-555555555555}';
  caption = 'A window';
  pid = 4711;
  resourceClass = 'a';
  active = true;
  minimized = false;
  fullScreen = false;
  onAllDesktops = true;
  normalWindow = true;
  stackingOrder = 0;
  moveable = true;
  resizeable = true;
  maximizable = true;
  minimizable = true;
  closeable = true;
  frameGeometry: unknown = { x: 10, y: 20, width: 300, height: 230 };
  bufferGeometry = { x: 10, y: 50, width: 300, height: 200 };

  closeWindow(): void {
    this.done.push('close');
  }

  setMaximize(across: boolean, down: boolean): void {
    this.done.push(`maximize ${across} ${down}`);
  }
}

/** Owns KWin's name on a bus, and runs scripts as KWin does. */
export class FakeKwin {
  readonly window = new FakeKwinWindow();
  readonly clientAdded = new Signal();
  readonly loaded = new Set<string>();
  /** Calls of scripts to us. */
  readonly calls: (readonly string[])[] = [];
  /** Of the script that was run last. */
  place: { readonly service: string; readonly path: string } | undefined;
  activeClient: unknown;
  isSilent = false;
  readonly #bus: BusConnection;
  #file = '';

  private constructor(bus: BusConnection) {
    this.#bus = bus;
    bus.onMethodCall((call) => this.#served(call));
  }

  static async start(bus: BusConnection): Promise<FakeKwin> {
    const kwin = new FakeKwin(bus);
    await bus.call({ ...DAEMON, member: 'RequestName', signature: 'su', args: ['org.kde.KWin', 0] }, PATIENT);
    return kwin;
  }

  async end(): Promise<void> {
    await this.#bus.call(
      { ...DAEMON, member: 'ReleaseName', signature: 's', args: ['org.kde.KWin'] },
      PATIENT,
    );
  }

  #served({
    path,
    member,
    body,
  }: MethodCallMessage): { signature?: string; values?: (number | boolean)[] } | undefined {
    const [first, second] = body;
    if (path === '/Scripting' && member === 'loadScript') {
      this.#file = textOf(first);
      this.loaded.add(textOf(second));
      return { signature: 'i', values: [7] };
    }
    if (path === '/Scripting' && member === 'unloadScript')
      return { signature: 'b', values: [this.loaded.delete(textOf(first))] };
    // As in KWin 5.
    if (path !== '/7' || member !== 'run') return undefined;
    // KWin reads the file after it has answered.
    setImmediate(() => this.#run(readFileSync(this.#file, 'utf8')));
    return {};
  }

  #run(source: string): void {
    const workspace = {
      clientList: () => [this.window],
      clientArea: () => ({ x: 0, y: 0, width: 1280, height: 800 }),
      cursorPos: { x: 5, y: 6 },
      clientAdded: this.clientAdded,
    };
    Object.defineProperty(workspace, 'activeClient', {
      set: (value) => {
        this.activeClient = value;
      },
    });
    const callDBus = (
      service: string,
      path: string,
      name: string,
      member: string,
      ...rest: unknown[]
    ): void => {
      const then = rest.at(-1);
      const args = rest.filter((value) => typeof value === 'string');
      this.place = { service, path };
      this.calls.push([member, ...args]);
      if (this.isSilent) return;
      const call = {
        destination: service,
        path,
        interface: name,
        member,
        signature: 's'.repeat(args.length),
        args,
      };
      void this.#bus
        .call(call, PATIENT)
        .then(([answer]) => (typeof then === 'function' ? then(answer) : undefined))
        .catch(() => undefined);
    };
    runInNewContext(source, { workspace, KWin: { MaximizeArea: 0 }, callDBus });
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
