import { describe } from 'vitest';
import { layoutInputCases } from './layout-input-cases.ts';
import { NO_KWIN } from './stage.ts';

describe.skipIf(NO_KWIN !== undefined)(`on KWin${NO_KWIN === undefined ? '' : ` (${NO_KWIN})`}`, () => {
  layoutInputCases('KWin', 'kwin', { notch: '1.5', hasKeyboard: true });
});
