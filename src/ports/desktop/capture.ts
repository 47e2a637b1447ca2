import type { PictureConsent } from '../../model/effects/picture-consent.ts';
import type { Bounds } from '../../model/tree/bounds.ts';

export type CaptureTarget =
  /** All of it, or one monitor; numbered from 0 in the display server's order. */
  (
    | { readonly kind: 'screen'; readonly monitor?: number | undefined }
    | {
        readonly kind: 'window';
        readonly windowId: string;
        /** Only what the screen shows of it now, without its popups: nothing is changed to see what is covered. */
        readonly asShown?: boolean | undefined;
      }
    | { readonly kind: 'region'; readonly bounds: Bounds }
  ) & {
    /** Default: `auto`. Where nobody can be asked, as on a private desktop, it makes no difference. */
    readonly consent?: PictureConsent | undefined;
    /** No answer shows it, and the user wants to be asked about pictures: only where nobody can be asked is it taken. */
    readonly isUnasked?: boolean | undefined;
  };

/** Raw pixels, four bytes each in the order blue, green, red, unused; rows are not padded. */
export interface CapturedImage {
  readonly width: number;
  readonly height: number;
  readonly bgrx: Uint8Array;
  /** Screen position of the image's first pixel. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Image pixels per screen pixel. */
  readonly scale: number;
  /** Parts of a window, on the screen, that something else covers, of which the image shows nothing; only if it was taken as shown. */
  readonly covered?: readonly Bounds[] | undefined;
  /** It shows nothing of other windows, even where they cover this one; absent where that is not certain. */
  readonly isOnlyWindow?: boolean | undefined;
}
