import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { WindowRequest } from '../../src/ports/desktop/windows.ts';
import type { SimulatedWindow, SimulatedWorld } from './simulated-world.ts';

/** Carries out requests to a scripted window, or not, according to its script. @throws DeskterityError WINDOW_NOT_FOUND, ACTION_NOT_SUPPORTED */
export function controlSimulatedWindow(
  world: SimulatedWorld,
  id: string,
  request: WindowRequest,
): { via: string } {
  const answer = { via: `simulated:${request.kind}` };
  const app = world.apps.find(({ windows }) => windows.some((window) => window.id === id));
  const window = app?.windows.find((candidate) => candidate.id === id);
  if (!app || !window) {
    throw new DeskterityError('WINDOW_NOT_FOUND', `There is no window ${id.slice(0, 80)}.`, {
      suggestion: 'Run "desk list-windows".',
    });
  }
  if (window.refuses?.includes(request.kind) === true) {
    throw new DeskterityError('ACTION_NOT_SUPPORTED', `This window takes no request to ${request.kind}.`, {
      suggestion: 'Leave it as it is.',
      delivered: false,
    });
  }
  if (window.ignores?.includes(request.kind) === true) return answer;
  if (request.kind === 'close') {
    if (window.onClose) {
      window.onClose(world);
      return answer;
    }
    app.windows = app.windows.filter((candidate) => candidate !== window);
  } else change(world, window, request);
  world.emit(
    app.id,
    window.root?.id ?? '',
    request.kind === 'close' ? 'window-closed' : 'window-changed',
    request.kind,
  );
  return answer;
}

function change(
  world: SimulatedWorld,
  window: SimulatedWindow,
  request: Exclude<WindowRequest, { readonly kind: 'close' }>,
): void {
  switch (request.kind) {
    case 'move':
      window.bounds = { ...window.bounds, x: request.x, y: request.y };
      return;
    case 'resize':
      window.bounds = {
        x: window.bounds.x + (window.drift?.x ?? 0),
        y: window.bounds.y + (window.drift?.y ?? 0),
        width: Math.max(request.width, window.minimumSize?.width ?? 0),
        height: Math.max(request.height, window.minimumSize?.height ?? 0),
      };
      return;
    case 'minimize':
      Object.assign(window, { minimized: true, focused: false });
      return;
    case 'maximize':
      Object.assign(window, { maximized: true, minimized: false });
      return;
    case 'restore':
      Object.assign(window, { maximized: false, minimized: false });
      return;
    case 'focus':
      for (const other of world.apps.flatMap(({ windows }) => windows)) other.focused = other === window;
      window.minimized = false;
  }
}
