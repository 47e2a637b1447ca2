import { describe } from 'vitest';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import type { Lack } from '../../contract/contract-world.ts';
import { desktopContract } from '../../contract/desktop-contract.ts';
import { contractStage } from './contract-stage.ts';
import { NO_MUTTER, worksOnWayland } from './stage.ts';

const LACKS: readonly Lack[] = ['probe', 'times'];

describe.skipIf(NO_MUTTER !== undefined)(
  `on GNOME Shell${NO_MUTTER === undefined ? '' : ` (${NO_MUTTER})`}`,
  () => {
    for (const kind of FIXTURE_KINDS) {
      describe.skipIf(!worksOnWayland(kind))(`where ${kind} has a plug-in for Wayland`, () => {
        desktopContract(`${kind} under GNOME Shell`, () =>
          contractStage(kind, 'gnome', {
            // Qt tells only an X server which of its dialogs are modal.
            lacks: [...LACKS, ...(kind === 'qt5' || kind === 'qt6' ? ['modality' as const] : [])],
            missingWindowId: 'gnome:1',
          }),
        );
      });
    }
  },
);
