import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { Application } from '../../../../atspi/bus/application.ts';
import type { ApplicationDirectory } from '../../../../atspi/bus/application-directory.ts';
import { readTopLevels, type TopLevel } from '../../../../atspi/bus/top-levels.ts';
import { hasState, STATE } from '../../../../atspi/tree/states.ts';
import { isOnOtherDisplay } from '../../elsewhere.ts';
import type { Drawing, ReportedBox } from './content-box.ts';
import { windowIdOf } from './mutter-window.ts';

/** An application that does not respond must not use up the time of the others. */
const SHARE = 0.6;

/** A window as its application reports it. */
export interface Frame extends ReportedBox {
  readonly id: string;
  readonly topLevel: TopLevel;
  readonly isActive: boolean;
}

/**
 * The windows that applications report, without those of the shell and of other displays.
 * @param shellPid of the shell, whose own objects are no windows
 */
export async function readFrames(
  applications: ApplicationDirectory,
  { shellPid, display }: { readonly shellPid: number; readonly display: string },
  options: CallOptions,
): Promise<readonly Frame[]> {
  const share = { ...options, deadlineMs: options.deadlineMs * SHARE };
  const known = await applications.list(share);
  const found = await Promise.all(
    known
      .filter(({ application: { pid }, responsive }) => responsive && pid !== shellPid)
      .filter(({ application }) => !isOnOtherDisplay(application.pid, display))
      .map(({ application }) => readTopLevels(application, share)),
  );
  return found.flatMap((topLevels) => (topLevels ?? []).filter(isWindow).map(toFrame));
}

/** Menus and tooltips are among them, without titles. */
function isWindow({ title, isDialog }: TopLevel): boolean {
  return title !== '' || isDialog;
}

function toFrame(topLevel: TopLevel): Frame {
  const { application, path, states, extents } = topLevel;
  return {
    id: windowIdOf(application.bus, path),
    topLevel,
    isActive: hasState(states, STATE.ACTIVE),
    drawing: drawingOf(application),
    bounds: extents ?? { x: 0, y: 0, width: 0, height: 0 },
  };
}

function drawingOf({ traits: { kind } }: Application): Drawing {
  return kind === 'gtk3' || kind === 'gtk4' || kind === 'qt' ? kind : 'other';
}
