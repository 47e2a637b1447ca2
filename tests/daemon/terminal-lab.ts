import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TerminalsPort, TerminalStart } from '../../src/ports/terminals.ts';
import { createTerminals } from '../../src/terminal/sessions/terminals.ts';
import { copyProgram, HOLDER_FILES } from '../program-copy.ts';
import {
  END_WAITS,
  endHolders,
  holdersOf,
  LabTerminal,
  terminalParts,
  terminalStart,
} from './terminal-support.ts';

/** The bundled holder and its worker, in a folder. */
async function buildHolder(programs: string): Promise<void> {
  await mkdir(programs, { recursive: true });
  await copyProgram(programs, (name) => HOLDER_FILES.includes(name));
  await symlink(resolve('node_modules'), join(programs, 'node_modules'));
  await writeFile(join(programs, 'package.json'), '{"type":"module"}');
}

/** Creates the folders of a lab with the bundled holder. @returns the folder */
export async function makeLabFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dkt-')));
  for (const name of ['run', 'state', 'project', 'home']) await mkdir(join(folder, name), { mode: 0o700 });
  await buildHolder(join(folder, 'programs'));
  return folder;
}

/** Folders, the bundled holder and its terminals, as a daemon uses them. */
export class TerminalLab {
  readonly folder: string;
  readonly port: TerminalsPort;

  private constructor(folder: string) {
    this.folder = folder;
    this.port = createTerminals(terminalParts(folder));
  }

  static async open(): Promise<TerminalLab> {
    return new TerminalLab(await makeLabFolder());
  }

  /** A path in the working folder of the terminals. */
  path(...names: string[]): string {
    return join(this.folder, 'project', ...names);
  }

  async terminal(
    tag: string,
    shell = '/bin/bash',
    changes: Partial<TerminalStart> = {},
  ): Promise<LabTerminal> {
    const facts = await this.port.open(terminalStart(this.folder, tag, shell, changes));
    return new LabTerminal(this.port, facts);
  }

  /** Process ids of holders that keep this lab's state. */
  holders(): number[] {
    return holdersOf(join(this.folder, 'state'));
  }

  async close(): Promise<void> {
    for (const { id } of await this.port.list().catch(() => []))
      await this.port.close(id, END_WAITS).catch(() => undefined);
    await endHolders(join(this.folder, 'state'));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
