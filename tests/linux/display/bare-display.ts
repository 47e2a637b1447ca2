import type { DisplayKind } from '../../../src/platform/linux/display/display.ts';

/** A display server that can do nothing for anybody: a folder of its own would hold this, and `select-display.ts` its name. */
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
