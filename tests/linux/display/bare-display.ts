import type { DisplayKind } from '../../../src/platform/linux/display/display.ts';

/** A display server without capabilities. A real one would have a folder and a line in `select-display.ts`. */
export const BARE: DisplayKind = {
  name: 'bare',
  isNamedBy: (environment) => environment['BARE_DISPLAY'] !== undefined,
  open: (environment) => ({
    capabilities: { windows: false, capture: false, clipboard: false, input: false },
    connect: async () => ({
      name: environment['BARE_DISPLAY'] ?? 'bare',
      facts: async () => ({ screen: { width: 800, height: 600 } }),
      check: async () => [{ name: 'display', ok: true, detail: 'A bare display.' }],
      onLoss: () => undefined,
      close: () => undefined,
    }),
  }),
};
