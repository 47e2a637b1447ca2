import { describe } from 'vitest';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import type { Lack } from '../../contract/contract-world.ts';
import { desktopContract } from '../../contract/desktop-contract.ts';
import { contractStage } from './contract-stage.ts';
import { NO_KWIN, worksOnWayland } from './stage.ts';

const LACKS: readonly Lack[] = ['probe', 'times'];

describe.skipIf(NO_KWIN !== undefined)(`on KWin${NO_KWIN === undefined ? '' : ` (${NO_KWIN})`}`, () => {
  for (const kind of FIXTURE_KINDS) {
    describe.skipIf(!worksOnWayland(kind))(`where ${kind} has a plug-in for Wayland`, () => {
      desktopContract(`${kind} under KWin`, () =>
        contractStage(kind, 'kwin', {
          // Qt tells only an X server which of its dialogs are modal.
          lacks: [...LACKS, ...(kind === 'qt5' || kind === 'qt6' ? ['modality' as const] : [])],
          missingWindowId: 'kwin:00000000-0000-0000-0000-000000000000',
        }),
      );
    });
  }
});
