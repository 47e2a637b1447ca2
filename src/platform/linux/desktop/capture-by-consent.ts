import { mentionCommand, mentionParameter } from '../../../model/text/mention.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../ports/desktop/capture.ts';
import type { Display, DisplayConnection } from '../display/display.ts';
import { unsupportedPart } from '../display/missing-parts.ts';
import { unsupported } from '../failures.ts';

/**
 * Takes a picture by what the caller wants to be used. On a private desktop there is nobody to ask, and usually no portal.
 * @throws DeskterityError as `DesktopPort.capture`; ACTION_NOT_SUPPORTED if the portal is wanted where it is not used, or nobody asked for the picture
 */
export async function captureByConsent(
  target: CaptureTarget,
  {
    portal,
    connection,
    isPrivate,
  }: {
    readonly portal: Display['portal'];
    readonly connection: DisplayConnection;
    readonly isPrivate: boolean;
  },
  options: CallOptions,
): Promise<CapturedImage> {
  if (target.isUnasked === true && !isPrivate) throw unasked();
  if (target.consent === 'portal') {
    const isUsed = portal !== undefined && (!isPrivate || (await portal.isRunning(options)));
    if (isUsed) return portal.take(target, connection, options);
    if (!isPrivate) throw noPortalUsed();
  }
  if (connection.capture === undefined) throw connection.whyNoCapture ?? unsupportedPart('capture');
  return connection.capture(target, options);
}

function unasked() {
  return unsupported(
    'Pictures of this desktop are taken only through the desktop portal, and only for an answer: the setting screenshot.consent is portal.',
    `Take one with ${mentionCommand('screenshot')}, or set screenshot.consent to auto.`,
  );
}

function noPortalUsed() {
  return unsupported(
    'Deskterity uses the desktop portal on Wayland only: on X11 every program can take pictures without it.',
    `Use ${mentionParameter('consent', 'auto')}, or set screenshot.consent to auto.`,
  );
}
