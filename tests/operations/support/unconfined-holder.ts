/** The holder, but for the sandbox: a program that tests bundle and start. */
import { runHolder } from '../../../src/processes/holder/run-holder.ts';
import { unconfinedProcesses } from './unconfined-processes.ts';

await runHolder(
  process.argv.slice(2),
  () => Promise.resolve(unconfinedProcesses()),
  () => Promise.resolve(false),
);
