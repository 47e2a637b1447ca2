/** Uses operations as the daemon does, in a process that can be killed: calls come as JSON lines, and so do answers. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createOperations } from '../../../src/operations/operations.ts';
import { createProcessIdentity } from '../../../src/platform/linux/process/facts.ts';
import { holderSocket } from '../../../src/platform/paths.ts';
import type { OperationRequest, OutputQuery } from '../../../src/ports/operations.ts';

const [, , folder = '', holderFile = ''] = process.argv;
const operations = createOperations({
  stateFolder: join(folder, 'state'),
  logFolder: join(folder, 'logs'),
  environment: process.env,
  build: 'test',
  holderFile,
  workerFile: '/nonexistent',
  socketFor: (name) => holderSocket(process.env, name),
  identity: createProcessIdentity(),
});

const methods = {
  start: (request: OperationRequest) => operations.start(request),
  status: (id: string) => operations.status(id),
  cancel: (id: string) => operations.cancel(id),
  wait: (id: string) => operations.wait(id, { timeoutMs: 50_000, signal: new AbortController().signal }),
  read: (id: string, query: OutputQuery) => operations.read(id, query),
};

createInterface(process.stdin).on('line', (line) => {
  const { id, method, args } = JSON.parse(line) as {
    id: number;
    method: keyof typeof methods;
    args: [never, never];
  };
  methods[method](...args).then(
    (value) => answer({ id, value }),
    (error: unknown) => answer({ id, error: String(error) }),
  );
});

function answer(reply: object): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
