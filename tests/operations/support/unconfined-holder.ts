/** The holder, but for the sandbox: a program that tests bundle and start. */
import { createPlatform } from '../../../src/platform/select.ts';
import { runHolder } from '../../../src/processes/holder/run-holder.ts';
import { unconfinedProcesses } from './unconfined-processes.ts';

const platform = createPlatform();
await runHolder(process.argv.slice(2), {
  ...platform,
  confinedPrograms: () => Promise.resolve(unconfinedProcesses()),
  sockets: { ...platform.sockets, isConfined: () => Promise.resolve(false) },
});
