import { Controls } from '../../../src/platform/linux/x11/input/controls.ts';
import { X11Wire } from '../../../src/platform/linux/x11/wire.ts';
import { inputContract } from '../../contract/input-contract.ts';
import { InputDisplay } from './input-display.ts';
import { sleep, TestServer } from './x-server.ts';


inputContract('X11', async () => {
  const server = await TestServer.start();
  const display = await InputDisplay.open(server.display);
  const controls = new Controls((options) => X11Wire.connect(server.display, options));
  return {
    input: controls.input,
    stopSwitch: controls.stopSwitch,
    held: () => display.held(),
    useHands: async () => {
      server.run('xdotool', 'key', 'F8');
    },
    sleep,
    now: () => performance.now(),
    stop: async () => {
      await controls.close();
      display.close();
      server.stop();
    },
  };
});
