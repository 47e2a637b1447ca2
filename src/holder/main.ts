import { openPeerCheck } from '../platform/linux/sandbox/confined-peer.ts';
import { createProcesses } from '../platform/linux/sandbox/create-processes.ts';
import { runHolder } from './run-holder.ts';

let check: ReturnType<typeof openPeerCheck> | undefined;

await runHolder(
  process.argv.slice(2),
  ({ workerFile }) => Promise.resolve(createProcesses({ workerFile })),
  async (client) => {
    check ??= openPeerCheck();
    return (await check)(client);
  },
);
