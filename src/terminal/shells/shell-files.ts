import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellFile } from './shell-integration.ts';

/** The folder in which the shell of one terminal finds what is ours: its hooks, which hold the secret of its marks, and the command that it is to run. */
export class ShellFiles {
  readonly folder: string;
  private secret: readonly string[] = [];

  /** Makes the folder. @throws Error of the file system */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { mode: 0o700, recursive: true });
  }

  /** @throws Error of the file system */
  writeHooks(files: readonly ShellFile[]): void {
    this.secret = files.map(({ name }) => name);
    for (const file of files) this.write(file);
  }

  /** The hooks are read by now. */
  removeHooks(): void {
    for (const name of this.secret) this.remove(name);
    this.secret = [];
  }

  /** What cannot be written whole is removed: a part of a command is another command. @throws Error of the file system */
  write({ name, text }: ShellFile): void {
    const path = join(this.folder, name);
    this.makeAgain();
    rmSync(path, { force: true });
    try {
      writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      this.remove(name);
      throw error;
    }
  }

  removeCommand(sequence: number): void {
    this.remove(`command-${String(sequence)}`);
  }

  removeAll(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // It goes with the session of the user at the latest.
    }
  }

  /** Something may have tidied it away; only in a folder that is still there is it nobody else's. */
  private makeAgain(): void {
    try {
      mkdirSync(this.folder, { mode: 0o700 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }

  private remove(name: string): void {
    try {
      rmSync(join(this.folder, name), { force: true });
    } catch {
      // Gone with its folder.
    }
  }
}
