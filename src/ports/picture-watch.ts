import type { Bounds } from '../model/tree/bounds.ts';
import type { CallOptions } from './call-options.ts';

/** A watch for changes of what a screen shows. */
export interface PictureWatch {
  /**
   * Where the screen was painted since the last call, which may include parts that look the same. A picture taken after this call contains all of
   * these changes; later ones are reported anew.
   */
  takeAreas(options: CallOptions): Promise<readonly Bounds[]>;
  end(): void;
}
