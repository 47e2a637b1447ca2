import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TerminalEmulator } from '../../../src/terminal/screen/terminal-emulator.ts';

const FOLDER = path.join(import.meta.dirname, '../streams');
const SIZE = { columns: 80, rows: 24 };

/** Output of real programs, recorded by scripts/record-terminal-streams.mjs. */
export const STREAMS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.bin'))
  .map((file) => file.slice(0, -'.bin'.length));

export function streamFile(name: string): string {
  return path.join(FOLDER, `${name}.bin`);
}

export async function play(name: string): Promise<TerminalEmulator> {
  const terminal = new TerminalEmulator({ size: SIZE });
  await terminal.feed(readFileSync(streamFile(name)));
  return terminal;
}

/** The displayed rows without trailing blanks. */
export function rowsOf(terminal: TerminalEmulator): string[] {
  return Array.from({ length: terminal.size.rows }, (_, row) =>
    (terminal.row(row)?.translateToString(true) ?? '').trimEnd(),
  );
}
