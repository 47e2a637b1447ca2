import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellFile } from './shell-integration.ts';

/** The folder with our files for the shell of one terminal: the hooks, which contain the token of its marks, and the next command. */
export class ShellFiles {
  readonly folder: string;
  private secret: readonly string[] = [];

  /** Creates the folder. @throws Error of the file system */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { mode: 0o700, recursive: true });
  }

  /** @throws Error of the file system */
  writeHooks(files: readonly ShellFile[]): void {
    this.secret = files.map(({ name }) => name);
    for (const file of files) this.write(file);
  }

  /** Called when the shell has read the hooks. */
  removeHooks(): void {
    for (const name of this.secret) this.remove(name);
    this.secret = [];
  }

  /** Removes a file that could not be written completely, because part of a command is a different command. @throws Error of the file system */
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
      // The system removes it at the end of the user's session.
    }
  }

  /** A clean-up tool may have removed the folder; then it must be created with private permissions. */
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
      // The folder no longer exists.
    }
  }
}
