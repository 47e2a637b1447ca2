import { describe } from 'vitest';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import type { Lack } from '../../contract/contract-world.ts';
import { desktopContract } from '../../contract/desktop-contract.ts';
import { contractStage } from './contract-stage.ts';
import { worksOnWayland } from './stage.ts';

const LACKS: readonly Lack[] = ['probe', 'maximize', 'parents', 'times'];

for (const kind of FIXTURE_KINDS) {
  describe.skipIf(!worksOnWayland(kind))(`where ${kind} has a plug-in for Wayland`, () => {
    desktopContract(`${kind} under sway`, () =>
      contractStage(kind, 'wayland', {
        // Qt tells only an X server which of its dialogs are modal.
        lacks: [...LACKS, ...(kind === 'qt5' || kind === 'qt6' ? ['modality' as const] : [])],
        missingWindowId: 'sway:999999',
      }),
    );
  });
}
