import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalRecord } from '../../model/terminals/terminal-record.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 6;
const FORM = /^term-[a-z2-7]{6}$/;
/** After this many collisions something else is wrong. */
const MAX_TRIES = 100;

/** Whether a text is a valid id; no other text may become part of a path. */
export function isTerminalId(text: string): boolean {
  return FORM.test(text);
}

/** The folder with one folder per terminal. */
export function terminalsFolder(stateFolder: string): string {
  return join(stateFolder, 'terminals');
}

export function terminalFolder(stateFolder: string, id: string): string {
  return join(terminalsFolder(stateFolder), id);
}

export function terminalRecordFile(folder: string): string {
  return join(folder, 'terminal.json');
}

/** The folder of its output segments; see `operations/output/output-segments.ts`. */
export function shownFolder(folder: string): string {
  return join(folder, 'output');
}

/** Creates the folder of a new terminal with an id such as `term-k3x7qa`. @throws DeskterityError ACTION_FAILED */
export function makeTerminalFolder(stateFolder: string): { readonly id: string; readonly folder: string } {
  try {
    mkdirSync(terminalsFolder(stateFolder), { mode: 0o700, recursive: true });
    for (let tries = 1; ; tries += 1) {
      const id = newTerminalId();
      const folder = terminalFolder(stateFolder, id);
      try {
        mkdirSync(folder, { mode: 0o700 });
        return { id, folder };
      } catch (error) {
        if (tries === MAX_TRIES || codeOf(error) !== 'EEXIST') throw error;
      }
    }
  } catch (error) {
    throw new DeskterityError('ACTION_FAILED', `No terminal can be recorded in ${stateFolder}.`, {
      suggestion: 'Free some space there or set XDG_STATE_HOME to a writable folder.',
      platformDetail: String(codeOf(error)),
      delivered: false,
      cause: error,
    });
  }
}

/** Replaces the record atomically. One writer at a time. @throws Error of the file system */
export function writeTerminalRecord(folder: string, record: TerminalRecord): void {
  const draft = `${terminalRecordFile(folder)}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    renameSync(draft, terminalRecordFile(folder));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function newTerminalId(): string {
  let id = 'term-';
  for (const byte of randomBytes(LENGTH)) id += LETTERS.charAt(byte & 31);
  return id;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
