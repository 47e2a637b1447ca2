import { SimulatedDesktop } from '../simulated/simulated-desktop.ts';
import { SimulatedWorld } from '../simulated/simulated-world.ts';
import { inputContract } from './input-contract.ts';

inputContract('simulated', async () => {
  const world = new SimulatedWorld([]);
  const { input, stopSwitch } = new SimulatedDesktop(world);
  return {
    input,
    stopSwitch,
    held: async () => input.held,
    useHands: async () => {
      input.userActiveUntilMs = world.clock.now() + 700;
    },
    sleep: (ms) => world.clock.sleep(ms),
    now: () => world.clock.now(),
    stop: async () => undefined,
  };
});
