import { describe } from 'vitest';
import { layoutInputCases } from './layout-input-cases.ts';
import { NO_MUTTER } from './stage.ts';

describe.skipIf(NO_MUTTER !== undefined)(
  `on Mutter${NO_MUTTER === undefined ? '' : ` (${NO_MUTTER})`}`,
  () => {
    layoutInputCases('Mutter', 'gnome', { notch: '1.0', hasKeyboard: false });
  },
);
