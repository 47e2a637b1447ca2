/** Runs commands in a terminal whose state folder is on a file system that fills up, and prints the results. Its argument is the folder. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTerminals } from '../../src/terminal/sessions/terminals.ts';
import { endHolders, LabTerminal, terminalParts, terminalStart } from './terminal-support.ts';

const [, , folder = ''] = process.argv;
const state = join(folder, 'state');
const port = createTerminals(terminalParts(folder));

function keptBytes(place: string): number {
  return readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Fills the disk completely. */
function fill(): void {
  for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (let index = 0; ; index += 1)
        writeFileSync(join(state, `filler-${size}-${index}`), Buffer.alloc(size, 1), { flag: 'wx' });
    } catch {
      // A smaller piece may still fit.
    }
  }
}

function makeRoom(): void {
  for (const name of readdirSync(state)) if (name.startsWith('filler-')) rmSync(join(state, name));
}

try {
  const terminal = new LabTerminal(port, await port.open(terminalStart(folder, 'full', '/bin/bash')));
  const ran = async (command: string) => {
    const { kind, exitCode, output } = await terminal.run(command, { lines: 1 });
    return { kind, exitCode, output };
  };
  const flood = await ran("seq 1 1000000; echo last line; sh -c 'exit 7'");
  const kept = keptBytes(state);
  fill();
  const full = await ran('echo on a full disk');
  const screen = (await terminal.screen()).join('\n');
  makeRoom();
  const after = await ran('echo again');
  process.stdout.write(JSON.stringify({ flood, keptBytes: kept, full, screen, after }));
} finally {
  makeRoom();
  await endHolders(state);
}
process.exit(0);
