import x11 from 'x11';
import type { Bounds } from '../../../../model/tree/bounds.ts';
import type { SharedMemory } from './capture/shared-memory.ts';

/** The package's error for an X error from the server (`error` is its number), or for a failed socket. */
export interface RawError {
  readonly message?: string;
  readonly error?: number;
  readonly code?: string;
}

/** Returns true to tell the package that an error was handled; otherwise it emits an `error` event, which ends the process. */
export type Callback<T> = (error: RawError | null | undefined, value: T) => boolean;

export interface Geometry {
  readonly depth: number;
  readonly xPos: number;
  readonly yPos: number;
  readonly width: number;
  readonly height: number;
  readonly borderWidth: number;
}

export interface WindowAttributes {
  readonly visual: number;
  /** The events that this client selected on it. */
  readonly myEventMasks: number;
  /** 1 InputOutput, 2 InputOnly. */
  readonly klass: number;
  /** 0 unmapped, 1 mapped below an unmapped ancestor, 2 viewable. */
  readonly mapState: number;
  readonly overrideRedirect: number;
}

export interface PropertyReply {
  readonly type: number;
  readonly format: number;
  readonly bytesAfter: number;
  readonly data: Buffer;
}

export interface XEvent {
  readonly name?: string;
  readonly wid?: number;
  readonly atom?: number;
  readonly damage?: number;
  /** Server time; unsigned, wraps after 49 days. */
  readonly time?: number;
  /** Of a property: 0 set, 1 deleted. */
  readonly state?: number;
  readonly owner?: number;
  readonly requestor?: number;
  readonly selection?: number;
  readonly target?: number;
  readonly property?: number;
  /** The key or, despite its name, the button. */
  readonly keycode?: number;
  /** Modifiers and buttons that were down, and the keyboard group in bits 13 and 14. */
  readonly buttons?: number;
  /** Position of the pointer on the screen. */
  readonly rootx?: number;
  readonly rooty?: number;
  /** Of an event of the X Input Extension: keycode or button. */
  readonly detail?: number;
  /** Of an event of the X Keyboard Extension. */
  readonly xkbType?: number;
  /** Of a client message. */
  readonly message_type?: number;
  readonly data?: readonly number[];
}

export interface ShmSegment {
  readonly size: number;
  getImage(
    drawable: number,
    x: number,
    y: number,
    width: number,
    height: number,
    planes: number,
    format: number,
    offset: number,
    done: Callback<{ readonly depth: number; readonly size: number }>,
  ): void;
  detach(done: () => void): void;
}

export interface ShmExtension {
  usable(done: Callback<boolean>): void;
  createSegment(size: number, done: Callback<ShmSegment>): void;
}

export interface CompositeExtension {
  RedirectWindow(window: number, update: number): void;
  NameWindowPixmap(window: number, pixmap: number): void;
}

export interface DamageExtension {
  Create(damage: number, drawable: number, level: number): void;
  Destroy(damage: number): void;
}

export interface FixesExtension {
  SelectSelectionInput(window: number, selection: number, eventMask: number): void;
}

/** Displays with RANDR also report their monitors here; the package lacks RANDR's own request. */
export interface XineramaExtension {
  QueryScreens(done: Callback<readonly Bounds[]>): void;
}

export interface XtestExtension {
  /** `type` is the code of a core event, `detail` a keycode or button; only motion uses the position. */
  FakeInput(type: number, detail: number, delayMs: number, window: number, x: number, y: number): void;
}

export interface XinputExtension {
  /** The version both sides support; absent if the server only has version 1. */
  readonly xi2?: object | null;
  /** Replaces the previous selection for this device. */
  XISelectEvents(
    window: number,
    masks: readonly { readonly deviceId: number; readonly mask: readonly string[] }[],
  ): void;
}

export interface ScreenSaverExtension {
  /** `idle`: milliseconds since the last input event of any device. */
  QueryInfo(drawable: number, done: Callback<{ readonly idle: number }>): void;
}

/** The state of a keyboard; masks have bits for the eight real modifiers, groups count from 0. */
export interface XkbState {
  /** Held down, excluding latched and locked ones. */
  readonly baseMods: number;
  readonly latchedMods: number;
  readonly lockedMods: number;
  /** The effective group. */
  readonly group: number;
  readonly lockedGroup: number;
  readonly latchedGroup: number;
}

export interface XkbExtension {
  readonly majorOpcode: number;
  SelectEvents(
    device: number,
    affectWhich: number,
    clear: number,
    selectAll: number,
    affectMap: number,
    map: number,
  ): void;
  GetState(device: number, done: Callback<XkbState>): void;
  LatchLockState(
    device: number,
    affectModLocks: number,
    modLocks: number,
    lockGroup: boolean,
    groupLock: number,
    affectModLatches: number,
    modLatches: number,
    latchGroup: boolean,
    groupLatch: number,
  ): void;
}

export interface Extensions {
  readonly xinput: XinputExtension;
  readonly 'screen-saver': ScreenSaverExtension;
  readonly xtest: XtestExtension;
  readonly shm: ShmExtension;
  readonly composite: CompositeExtension;
  readonly damage: DamageExtension;
  readonly xkb: XkbExtension;
  readonly fixes: FixesExtension;
  readonly xinerama: XineramaExtension;
}

/** The part of the package's client that we use. */
export interface Client {
  on(event: 'error', listener: (error: RawError) => void): void;
  on(event: 'event', listener: (event: XEvent) => void): void;
  on(event: 'end', listener: () => void): void;
  readonly stream?: { destroy(): void; on(event: 'close', listener: () => void): void };
  terminate(): void;
  AllocID(): number;
  ReleaseID(id: number): void;
  require<Name extends keyof Extensions>(name: Name, done: Callback<Extensions[Name]>): void;
  InternAtom(onlyIfExists: boolean, name: string, done: Callback<number>): void;
  GetAtomName(atom: number, done: Callback<string>): void;
  GetProperty(
    remove: number,
    window: number,
    property: number,
    type: number,
    offset: number,
    length: number,
    done: Callback<PropertyReply>,
  ): void;
  GetGeometry(drawable: number, done: Callback<Geometry>): void;
  GetWindowAttributes(window: number, done: Callback<WindowAttributes>): void;
  TranslateCoordinates(
    from: number,
    to: number,
    x: number,
    y: number,
    done: Callback<{ readonly destX: number; readonly destY: number; readonly child: number }>,
  ): void;
  QueryPointer(
    window: number,
    done: Callback<{ readonly rootX: number; readonly rootY: number; readonly keyMask: number }>,
  ): void;
  /** 32 bytes, one bit for each keycode. */
  QueryKeymap(done: Callback<Buffer>): void;
  /** Rows of keysyms, one row per keycode, starting at `first`. */
  GetKeyboardMapping(first: number, count: number, done: Callback<readonly (readonly number[])[]>): void;
  /** Keycodes of the eight modifiers, Shift first. */
  GetModifierMapping(done: Callback<readonly (readonly number[])[]>): void;
  /** `pointerMode`, `keyboardMode`: 1 for asynchronous, so that events continue as usual. */
  GrabKey(
    window: number,
    ownerEvents: number,
    modifiers: number,
    keycode: number,
    pointerMode: number,
    keyboardMode: number,
    done: Callback<undefined>,
  ): void;
  UngrabKey(window: number, keycode: number, modifiers: number, done: Callback<undefined>): void;
  /** Until UngrabServer, requests of other clients are not processed. */
  GrabServer(done: Callback<undefined>): void;
  UngrabServer(done: Callback<undefined>): void;
  DeleteProperty(window: number, property: number, done: Callback<undefined>): void;
  QueryTree(
    window: number,
    done: Callback<{ readonly parent: number; readonly children: readonly number[] }>,
  ): void;
  GetInputFocus(done: Callback<{ readonly focus: number }>): void;
  GetImage(
    format: number,
    drawable: number,
    x: number,
    y: number,
    width: number,
    height: number,
    planes: number,
    done: Callback<{ readonly depth: number; readonly data: Buffer }>,
  ): void;
  ChangeWindowAttributes(
    window: number,
    values: { readonly eventMask: number },
    done: Callback<undefined>,
  ): void;
  SendClientMessage(
    destination: number,
    window: number,
    type: number,
    format: number,
    data: readonly number[],
    eventMask: number,
    done: Callback<undefined>,
  ): void;
  FreePixmap(pixmap: number, done: Callback<undefined>): void;
  CreateWindow(
    id: number,
    parent: number,
    x: number,
    y: number,
    width: number,
    height: number,
    borderWidth: number,
    depth: number,
    klass: number,
    visual: number,
    values: {
      readonly eventMask: number;
      readonly backgroundPixel?: number;
      readonly overrideRedirect?: number;
    },
    done: Callback<undefined>,
  ): void;
  MapWindow(window: number, done: Callback<undefined>): void;
  DestroyWindow(window: number, done: Callback<undefined>): void;
  ChangeProperty(
    mode: number,
    window: number,
    property: number,
    type: number,
    format: number,
    data: Uint8Array,
    done: Callback<undefined>,
  ): void;
  GetSelectionOwner(selection: number, done: Callback<number>): void;
  SetSelectionOwner(owner: number, selection: number, time: number, done: Callback<undefined>): void;
  ConvertSelection(
    requestor: number,
    selection: number,
    target: number,
    property: number,
    time: number,
    done: Callback<undefined>,
  ): void;
  SendEvent(
    destination: number,
    propagate: number,
    eventMask: number,
    event: Buffer,
    done: Callback<undefined>,
  ): void;
}

export interface Visual {
  readonly red_mask: number;
  readonly green_mask: number;
  readonly blue_mask: number;
}

/** The server's greeting. */
export interface Display {
  /** 0 is least significant byte first. */
  readonly image_byte_order: number;
  readonly format: Readonly<
    Record<number, { readonly bits_per_pixel: number; readonly scanline_pad: number } | undefined>
  >;
  readonly screen: readonly {
    readonly root: number;
    readonly root_depth: number;
    readonly pixel_width: number;
    readonly pixel_height: number;
    readonly depths: Readonly<Record<number, Readonly<Record<number, Visual>>>>;
  }[];
}

export interface ClientOptions {
  readonly display: string;
  readonly auth: { readonly name: string; readonly data: string };
  readonly shm: SharedMemory;
}

/** Starts connecting. `ready` is called at most once; later failures arrive as `error` and `end` events of the client. */
export function createClient(
  options: ClientOptions,
  ready: (error: RawError | undefined, display: Display) => void,
): Client {
  const client = x11.createClient(
    // Requests of one turn of the event loop are sent in one write; ours never exceed the core size limit.
    { ...options, disableBigRequests: true, bufferRequests: { flushOnReply: false } },
    (error, display) => {
      // The package shares one atom table between all servers, although each server numbers its own atoms. It sets the
      // table while connecting, so now, before any request, is the earliest time to replace it.
      client.atoms = { ...client.atoms };
      ready(error ?? undefined, display as Display);
    },
  ) as Client & { atoms: Readonly<Record<string, number>> };
  return client;
}

interface RawClient {
  seq_num: number;
  readonly replies: Record<number, readonly [((reply: Buffer) => Buffer) | undefined, Callback<Buffer>]>;
  readonly pack_stream: { put(bytes: Buffer): void; submit(expectsReply: boolean): void };
}

/**
 * Sends a request that the package does not support.
 * @param bytes the whole request, including its length field
 * @param done receives the reply from its ninth byte; without a reply it is called when a later reply shows that the request was accepted
 */
export function sendBytes(
  client: Client,
  bytes: Buffer,
  expects: 'reply' | 'nothing',
  done: Callback<Buffer>,
): void {
  const raw = client as Client & RawClient;
  raw.seq_num += 1;
  raw.replies[raw.seq_num] = [expects === 'reply' ? (reply) => reply : undefined, done];
  raw.pack_stream.put(bytes);
  raw.pack_stream.submit(expects === 'reply');
}
