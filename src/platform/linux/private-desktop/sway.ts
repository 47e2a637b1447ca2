import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { findProgram } from '../../node/find-program.ts';
import { startService, type ServiceRequest } from './service.ts';

const READY = 'deskterity-sway-ready';
/** Every user has this id in a namespace of its own; it is nobody's outside. */
const UNPRIVILEGED = '65534';

export interface SwayRequest extends ServiceRequest {
  readonly width: number;
  readonly height: number;
  readonly configFolder: string;
  /** See `PrivateDesktopOptions`. */
  readonly hasXwayland: boolean;
}

/** The displays of one sway. */
export interface SwayDisplays {
  /** `wayland-N` */
  readonly wayland: string;
  /** `:N` of its Xwayland, if it has one. */
  readonly x11: string | undefined;
}

/**
 * Starts sway without a screen, and returns the names of its displays. It runs the `exec` line of its configuration once it listens, so no polling is needed.
 * @throws DeskterityError DISPLAY_UNAVAILABLE
 */
export async function startSway(request: SwayRequest): Promise<SwayDisplays> {
  const configuration = path.join(request.configFolder, 'sway.conf');
  writeFileSync(configuration, swayConfiguration(request));
  const args = ['--config', configuration];
  const { program, args: wholeArgs } = asNonRoot(request.program, args, request.environment['PATH'] ?? '');
  const line = await startService(
    { ...request, program, environment: { ...request.environment, ...HEADLESS } },
    { name: 'sway', args: wholeArgs, readyDescriptor: 1 },
  );
  const [, wayland, x11] = new RegExp(`^${READY} (wayland-\\d+) (:\\d+)?$`, 'm').exec(line) ?? [];
  if (wayland !== undefined) return { wayland, x11 };
  throw new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    'The private desktop did not start: sway named no display.',
    {
      suggestion: 'Run "sway" in a terminal to see why it does not start.',
      platformDetail: line.slice(0, 200),
    },
  );
}

const HEADLESS = {
  WLR_BACKENDS: 'headless',
  WLR_HEADLESS_OUTPUTS: '1',
  WLR_RENDERER: 'pixman',
  WLR_LIBINPUT_NO_DEVICES: '1',
};

/**
 * Sway refuses to run as root. In a user namespace it is nobody, and cannot become root again; outside, its files and its process remain ours.
 */
function asNonRoot(
  program: string,
  args: readonly string[],
  searchPath: string,
): { readonly program: string; readonly args: readonly string[] } {
  if (process.getuid?.() !== 0) return { program, args };
  const unshare = findProgram('unshare', `${searchPath}:/usr/bin:/bin`);
  if (unshare === undefined)
    throw new DeskterityError(
      'DISPLAY_UNAVAILABLE',
      'Sway does not run as root, and "unshare" is not installed.',
      {
        suggestion: 'Run this as another user, or install util-linux.',
      },
    );
  const namespace = ['--user', `--map-user=${UNPRIVILEGED}`, `--map-group=${UNPRIVILEGED}`, '--'];
  return { program: unshare, args: [...namespace, program, ...args] };
}

/**
 * Windows float, so that they keep the size and place that their application or a command gives them. No key bindings, so that every key reaches the
 * application; the usual mouse actions on window frames. Xwayland begins with its first client.
 */
function swayConfiguration({ width, height, hasXwayland }: SwayRequest): string {
  return `output * resolution ${width}x${height} position 0,0
output * bg #3b4252 solid_color
xwayland ${hasXwayland ? 'enable' : 'disable'}
for_window [app_id=".*"] floating enable
for_window [class=".*"] floating enable
default_border normal 2
default_floating_border normal 2
focus_follows_mouse no
mouse_warping none
focus_on_window_activation smart
floating_modifier none
seat * hide_cursor 0
exec echo "${READY} $WAYLAND_DISPLAY $DISPLAY"
`;
}
