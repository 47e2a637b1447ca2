import x11 from 'x11';
import type { Bounds } from '../../../../model/tree/bounds.ts';
import type { SharedMemory } from './capture/shared-memory.ts';
import type { Numbers, Requests } from './x11-requests.ts';

/** The package's error for an X error from the server (`error` is its number), or for a failed socket. */
export interface RawError {
  readonly message?: string;
  readonly error?: number;
  readonly code?: string;
}

/** Returns true to tell the package that an error was handled; otherwise it emits an `error` event, which ends the process. */
export type Callback<T> = (error: RawError | null | undefined, value: T) => boolean;

export const INPUT_OUTPUT = 1;
export const INPUT_ONLY = 2;
export const VIEWABLE = 2;
/** Event masks. */
export const PROPERTY_CHANGE = 0x40_0000;
export const STRUCTURE_NOTIFY = 0x2_0000;
export const SUBSTRUCTURE_NOTIFY = 0x8_0000;

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
  /** Of a window: the window manager leaves it alone. */
  readonly overrideRedirect?: boolean | number;
  readonly data?: readonly number[];
  /** The atom of a cursor that a pointer shows from now on. */
  readonly cursorName?: number;
}

export interface ShmSegment {
  readonly size: number;
  getImage(
    ...parameters: [
      ...Numbers<['drawable', 'x', 'y', 'width', 'height', 'planes', 'format', 'offset']>,
      done: Callback<{ readonly depth: number; readonly size: number }>,
    ]
  ): void;
  detach(done: () => void): void;
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
    ...parameters: Numbers<['device', 'affectWhich', 'clear', 'selectAll', 'affectMap', 'map']>
  ): void;
  GetState(device: number, done: Callback<XkbState>): void;
  LatchLockState(
    ...parameters: [
      ...Numbers<['device', 'affectModLocks', 'modLocks']>,
      lockGroup: boolean,
      ...Numbers<['groupLock', 'affectModLatches', 'modLatches']>,
      latchGroup: boolean,
      groupLatch: number,
    ]
  ): void;
}

/** A device as version 2 of the X Input Extension lists it. */
export interface InputDevice {
  readonly deviceId: number;
  /** 1 master pointer, 2 master keyboard, 3 and 4 devices attached to them, 5 a detached one. */
  readonly use: number;
  /** Of a master, the other one of its pair. */
  readonly attachment: number;
  readonly name: string;
}

/** The extensions that we use, by the package's names. */
export interface Extensions {
  readonly xinput: {
    readonly majorOpcode: number;
    /** The version both sides support; absent if the server only has version 1. */
    readonly xi2?: object | null;
    /** @param device 0 for all, 1 for all masters */
    XIQueryDevice(device: number, done: Callback<readonly InputDevice[]>): void;
    /** Replaces the previous selection for this device. */
    XISelectEvents(
      window: number,
      masks: readonly { readonly deviceId: number; readonly mask: readonly string[] }[],
    ): void;
  };
  readonly 'screen-saver': {
    /** `idle`: milliseconds since the last input event of any device. */
    QueryInfo(drawable: number, done: Callback<{ readonly idle: number }>): void;
  };
  readonly xtest: {
    /** `type` is the code of a core event, `detail` a keycode or button; only motion uses the position. */
    FakeInput(type: number, detail: number, delayMs: number, window: number, x: number, y: number): void;
  };
  readonly shm: {
    usable(done: Callback<boolean>): void;
    createSegment(size: number, done: Callback<ShmSegment>): void;
  };
  readonly composite: {
    RedirectWindow(window: number, update: number): void;
    NameWindowPixmap(window: number, pixmap: number): void;
  };
  readonly damage: {
    Create(damage: number, drawable: number, level: number): void;
    Destroy(damage: number): void;
    /** Removes `repair` from the damage, 0 for all of it, and stores what is removed in the region `parts`. */
    Subtract(damage: number, repair: number, parts: number): void;
  };
  readonly xkb: XkbExtension;
  readonly res: {
    /** Facts about the clients that own the given resources; `mask` selects which. */
    QueryClientIds(
      specs: readonly { readonly client: number; readonly mask: number }[],
      done: Callback<readonly { readonly value: readonly number[] }[]>,
    ): void;
  };
  readonly fixes: {
    SelectSelectionInput(window: number, selection: number, eventMask: number): void;
    CreateRegion(region: number, rectangles: readonly Bounds[]): void;
    DestroyRegion(region: number): void;
    FetchRegion(region: number, done: Callback<{ readonly rectangles: readonly Bounds[] }>): void;
    /** From then on, events tell when a pointer changes its look. */
    SelectCursorInput(window: number, eventMask: number): void;
    SetCursorName(cursor: number, name: string): void;
    /** Of what the pointer shows that core requests of this connection concern. */
    GetCursorImageAndName(done: Callback<{ readonly cursorName: string }>): void;
  };
  readonly render: {
    /** The format of a picture with eight bits each of red, green, blue and alpha. */
    readonly rgba32?: number;
    CreatePicture(picture: number, drawable: number, format: number): void;
    FreePicture(picture: number): void;
    /** `x`, `y`: what it points with. */
    CreateCursor(cursor: number, picture: number, x: number, y: number): void;
  };
  /** Displays with RANDR also report their monitors here; the package lacks RANDR's own request. */
  readonly xinerama: { QueryScreens(done: Callback<readonly Bounds[]>): void };
}

/** The package's methods for {@link Requests}. */
export type RequestMethods = {
  readonly [Name in keyof Requests]: (
    ...parameters: [...Requests[Name]['parameters'], done: Callback<Requests[Name]['reply']>]
  ) => void;
};

/** The part of the package's client that we use. */
export interface Client extends RequestMethods {
  on(event: 'error', listener: (error: RawError) => void): void;
  on(event: 'event', listener: (event: XEvent) => void): void;
  on(event: 'end', listener: () => void): void;
  readonly stream?: { destroy(): void; on(event: 'close', listener: () => void): void };
  AllocID(): number;
  ReleaseID(id: number): void;
  require<Name extends keyof Extensions>(name: Name, done: Callback<Extensions[Name]>): void;
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
