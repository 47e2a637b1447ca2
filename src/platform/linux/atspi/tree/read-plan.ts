import type { Bounds } from '../../../../model/tree/bounds.ts';
import type { TreeRequest } from '../../../../ports/desktop/elements.ts';
import type { Application } from '../bus/application.ts';
import type { Knowledge } from '../mirror/requests.ts';
import type { Extents } from './object-facts.ts';
import type { RawNode } from './raw-node.ts';

/** Turns an element's extents into screen pixels; depends on the window and the toolkit. */
export interface PixelFrame {
  readonly windowCoordinates: boolean;
  /** Path of the window's root object, if known. */
  readonly rootPath: string | undefined;
  /** The element and all that contains it, up to the window's root; absent if finding the window did not need them. */
  readonly ancestors?: readonly string[] | undefined;
  /** Resolves once the window is found; never rejects. */
  readonly toBounds: Promise<ToBounds>;
  readonly partRule?: PartRule | undefined;
}

export type ToBounds = (extents: Extents) => Bounds | undefined;

/** What determines an element's position. */
export type Placeable = Pick<RawNode, 'nativeRole' | 'extents'>;

/** How extents become pixels in an element and its descendants, given how they do in its parent. */
export type PartRule = (element: Placeable, around: Placeable, toBounds: ToBounds) => ToBounds;

export interface ReadPlan extends TreeRequest {
  readonly frame: PixelFrame;
  /** See {@link showLentItems}. */
  readonly startsAtMenu?: boolean | undefined;
  /** What is known of an application; absent if nothing is, and nothing is to be kept. */
  readonly knowledgeOf?: ((application: Application) => Promise<Knowledge | undefined>) | undefined;
  /** Finds the application of an embedded plug. */
  readonly applicationOf: (bus: string) => Promise<Application | undefined>;
}
