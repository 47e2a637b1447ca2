/** Uses terminals as the daemon does, in a process that can be killed: calls and answers are JSON lines. */
import { createInterface } from 'node:readline';
import { createProcessIdentity } from '../../../src/platform/linux/process/facts.ts';
import { holderSocket } from '../../../src/platform/paths.ts';
import type { RunRequest, TerminalStart } from '../../../src/ports/terminals.ts';
import { createTerminals } from '../../../src/terminal/sessions/terminals.ts';

const [, , stateFolder = '', logFolder = '', holderFile = '', workerFile = ''] = process.argv;
const terminals = createTerminals({
  stateFolder,
  logFolder,
  environment: process.env,
  build: 'test',
  holderFile,
  workerFile,
  socketFor: (name) => holderSocket(process.env, name),
  identity: createProcessIdentity(),
});

const methods = {
  open: (start: TerminalStart) => terminals.open(start),
  run: (id: string, request: RunRequest) => terminals.run(id, request, new AbortController().signal),
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
