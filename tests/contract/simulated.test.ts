import { fixtureWorld } from '../simulated/fixture-world.ts';
import { createSimulatedPlatform } from '../simulated/select.ts';
import type { ContractWorld } from './contract-world.ts';
import { desktopContract } from './desktop-contract.ts';

desktopContract('simulated', async (): Promise<ContractWorld> => {
  const fixture = fixtureWorld();
  const { world } = fixture;
  return {
    desktop: await createSimulatedPlatform(world).desktops.open({}),
    pid: 4711,
    title: 'Simulated fixture',
    sleep: (ms) => world.clock.sleep(ms),
    pressCount: async () => fixture.pressCount(),
    nameText: async () => world.node('app', 'name').value ?? '',
    volume: async () => Number(world.node('app', 'volume').value),
    rename: async (widget, label) => world.change('app', widget, { name: label }),
    remove: async (widget) => world.remove('app', widget),
    showDialog: async (isOpen) => fixture.showDialog(isOpen),
    notify: async (summary) => world.notify({ app: 'Contract', summary, body: '', hasService: false }),
    freeze: async (ms) => world.freeze('app', ms),
    stop: async () => undefined,
  };
});
