/** Parameters of a request that are all numbers, by name. */
export type Numbers<Names extends readonly string[]> = { -readonly [Index in keyof Names]: number };

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
  /** {@link INPUT_OUTPUT} or {@link INPUT_ONLY}. */
  readonly klass: number;
  /** 0 unmapped, 1 mapped below an unmapped ancestor, {@link VIEWABLE}. */
  readonly mapState: number;
  readonly overrideRedirect: number;
}

export interface PropertyReply {
  readonly type: number;
  readonly format: number;
  readonly bytesAfter: number;
  readonly data: Buffer;
}

/** Parameters and reply of a request. */
interface Request<Parameters extends readonly unknown[], Reply = undefined> {
  readonly parameters: Parameters;
  readonly reply: Reply;
}

/** A request whose parameters are all numbers. */
type Numeric<Names extends readonly string[], Reply = undefined> = Request<Numbers<Names>, Reply>;

/** Attributes of a new window. */
export interface WindowValues {
  readonly eventMask: number;
  readonly backgroundPixel?: number;
  readonly overrideRedirect?: number;
}

/** What is drawn with. */
export interface GraphicsValues {
  readonly foreground?: number;
  readonly background?: number;
  readonly font?: number;
}

export interface TextExtents {
  readonly fontAscent: number;
  readonly fontDescent: number;
  readonly overallWidth: number;
}

type NumberRows = readonly (readonly number[])[];

/** The requests of the core protocol that we make. */
export interface Requests {
  InternAtom: Request<[onlyIfExists: boolean, name: string], number>;
  GetAtomName: Numeric<['atom'], string>;
  GetProperty: Numeric<['remove', 'window', 'property', 'type', 'offset', 'length'], PropertyReply>;
  ChangeProperty: Request<[...Numbers<['mode', 'window', 'property', 'type', 'format']>, data: Uint8Array]>;
  DeleteProperty: Numeric<['window', 'property']>;
  GetGeometry: Numeric<['drawable'], Geometry>;
  GetWindowAttributes: Numeric<['window'], WindowAttributes>;
  ChangeWindowAttributes: Request<[window: number, values: { readonly eventMask: number }]>;
  TranslateCoordinates: Numeric<
    ['from', 'to', 'x', 'y'],
    { readonly destX: number; readonly destY: number; readonly child: number }
  >;
  QueryTree: Numeric<['window'], { readonly parent: number; readonly children: readonly number[] }>;
  QueryPointer: Numeric<
    ['window'],
    { readonly child: number; readonly rootX: number; readonly rootY: number; readonly keyMask: number }
  >;
  GetInputFocus: Numeric<[], { readonly focus: number }>;
  /** `revertTo`: 1 for the window under the pointer. */
  SetInputFocus: Numeric<['focus', 'revertTo']>;
  /** 32 bytes, one bit for each keycode. */
  QueryKeymap: Numeric<[], Buffer>;
  /** Rows of keysyms, one row per keycode, starting at `first`. */
  GetKeyboardMapping: Numeric<['first', 'count'], NumberRows>;
  /** Keycodes of the eight modifiers, Shift first. */
  GetModifierMapping: Numeric<[], NumberRows>;
  /** `pointerMode`, `keyboardMode`: 1 for asynchronous, so that events continue as usual. */
  GrabKey: Numeric<['window', 'ownerEvents', 'modifiers', 'keycode', 'pointerMode', 'keyboardMode']>;
  UngrabKey: Numeric<['window', 'keycode', 'modifiers']>;
  /** Until UngrabServer, requests of other clients are not processed. */
  GrabServer: Numeric<[]>;
  UngrabServer: Numeric<[]>;
  GetImage: Numeric<
    ['format', 'drawable', 'x', 'y', 'width', 'height', 'planes'],
    { readonly depth: number; readonly data: Buffer }
  >;
  SendClientMessage: Request<
    [...Numbers<['destination', 'window', 'type', 'format']>, data: readonly number[], eventMask: number]
  >;
  SendEvent: Request<[...Numbers<['destination', 'propagate', 'eventMask']>, event: Buffer]>;
  CreateWindow: Request<
    [
      ...Numbers<['id', 'parent', 'x', 'y', 'width', 'height', 'borderWidth', 'depth', 'klass', 'visual']>,
      values: WindowValues,
    ]
  >;
  ConfigureWindow: Request<
    [...Numbers<['window']>, values: Readonly<Partial<Record<'x' | 'y' | 'width' | 'height', number>>>]
  >;
  MapWindow: Numeric<['window']>;
  DestroyWindow: Numeric<['window']>;
  CreatePixmap: Numeric<['pixmap', 'drawable', 'depth', 'width', 'height']>;
  FreePixmap: Numeric<['pixmap']>;
  CreateGC: Request<[gc: number, drawable: number, values: GraphicsValues]>;
  ChangeGC: Request<[gc: number, values: GraphicsValues]>;
  FreeGC: Numeric<['gc']>;
  OpenFont: Request<[font: number, name: string]>;
  CloseFont: Numeric<['font']>;
  QueryTextExtents: Request<[font: number, text: string], TextExtents>;
  /** `coordinates`: left, top, width and height of each. */
  PolyFillRectangle: Request<[drawable: number, gc: number, coordinates: readonly number[]]>;
  /** `shape`: 1 for one whose edges do not cross; `mode`: 0 for coordinates from the top left. */
  FillPoly: Request<[...Numbers<['drawable', 'gc', 'shape', 'mode']>, coordinates: readonly number[]]>;
  /** `y`: of the line that letters stand on. */
  ImageText8: Request<[...Numbers<['drawable', 'gc', 'x', 'y']>, text: string]>;
  FreeCursor: Numeric<['cursor']>;
  GetSelectionOwner: Numeric<['selection'], number>;
  SetSelectionOwner: Numeric<['owner', 'selection', 'time']>;
  ConvertSelection: Numeric<['requestor', 'selection', 'target', 'property', 'time']>;
}
