import { isConfinedPeer } from '../../platform/linux/sandbox/levels/confined-peer.ts';
import { createProcesses } from '../../platform/linux/sandbox/processes/create-processes.ts';
import { runHolder } from './run-holder.ts';

await runHolder(
  process.argv.slice(2),
  ({ workerFile }) => Promise.resolve(createProcesses({ workerFile })),
  isConfinedPeer,
);
